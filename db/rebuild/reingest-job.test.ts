import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startJobs } from '../jobs/start'
import { listReingests, readReingest } from '../queries/reingests'
import { Transcript } from '../seed/transcript'
import { storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { claimReingest, releaseReingest, requestReingest, stepReingest, stopReingest } from './reingest-job'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  for (let n = 10; n < 40; n++)
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(
        new Transcript({ sessionId: `0e0e0e0e-0000-4000-8000-0000000000${n}` })
          .user('go')
          .call('Bash', { command: 'false' }, { fails: 'Exit code 1' }).text,
      ),
    })
})
beforeEach(() => db.sql`delete from reingests`.then(() => {}))
afterAll(() => db.close())

const ask = () => requestReingest(db.sql, { projectId, actor: 'person:1' })
const item = async (id: string) => (await readReingest(db.sql, [projectId], id))!

test('a job rebuilds the project in steps that tell how far it is, and the audit log names who asked', async () => {
  const before = await storedContent(db)
  const { id, isNew } = await ask()
  expect(isNew).toBe(true)
  expect(await ask(), 'one at a time').toEqual({ id, isNew: false })
  expect(await item(id)).toMatchObject({
    state: 'queued',
    phase: 'streams',
    project: 'default',
    startedAt: null,
  })
  const key = { projectId, id }
  expect(await claimReingest(db.sql, key)).toBe(true)
  expect(await claimReingest(db.sql, key), 'nobody takes it from who is at work').toBe(false)
  const seen: [string, number, number][] = []
  while (await stepReingest(db, key)) {
    const { phase, done, total } = await item(id)
    seen.push([phase, done, total])
  }
  expect(seen).toEqual([
    ['streams', 30, 30],
    ['executions', 0, 0],
    ['executions', 20, 30],
    ['executions', 30, 30],
    ['fixes', 0, 0],
  ])
  expect(await item(id)).toMatchObject({
    state: 'done',
    streams: 30,
    executions: 30,
    records: 90,
    quarantined: 0,
    problems: [],
    endedAt: expect.any(String),
  })
  expect(await storedContent(db)).toEqual(before)
  expect(await listReingests(db.sql, [projectId])).toEqual([await item(id)])
  expect(
    await db.sql`select actor, action, detail->>'state' as state from audit_log where subject = ${id} order by seq`,
  ).toEqual([
    { actor: 'person:1', action: 'reingest.start', state: null },
    { actor: 'system', action: 'reingest.end', state: 'done' },
  ])
})

test('it stops after the step that is under way, or at once when nobody has begun it', async () => {
  const waiting = await ask()
  expect(await stopReingest(db.sql, { projectId, id: waiting.id }, 'person:2')).toBe(true)
  expect(await item(waiting.id)).toMatchObject({ state: 'stopped' })
  expect(await claimReingest(db.sql, { projectId, id: waiting.id })).toBe(false)

  const { id } = await ask()
  const key = { projectId, id }
  await claimReingest(db.sql, key)
  expect(await stepReingest(db, key)).toBe(true)
  expect(await stopReingest(db.sql, key, 'person:2')).toBe(true)
  expect(await item(id)).toMatchObject({ state: 'stopping' })
  expect(await stopReingest(db.sql, key, 'person:3'), 'asked twice').toBe(true)
  expect(await stepReingest(db, key)).toBe(false)
  expect(await item(id)).toMatchObject({ state: 'stopped', streams: 30, executions: 0 })
  expect(await stopReingest(db.sql, key, 'person:2'), 'it is over').toBe(false)
  expect((await ask()).isNew).toBe(true)
  expect(
    await db.sql`select actor, action from audit_log where subject = ${id} and action = 'reingest.stop'`,
  ).toEqual([{ actor: 'person:2', action: 'reingest.stop' }])
})

test('a job that a process left goes on from where it was with the next one', async () => {
  const { id } = await ask()
  const key = { projectId, id }
  await claimReingest(db.sql, key)
  await stepReingest(db, key)
  await stepReingest(db, key)
  await stepReingest(db, key)
  expect(await item(id)).toMatchObject({ phase: 'executions', done: 20 })
  // The process dies here: nobody works on it for a while.
  await db.sql`update reingests set worked_at = now() - interval '61 seconds'`
  const jobs = await startJobs(db.url)
  await vi.waitFor(async () => expect(await item(id)).toMatchObject({ state: 'done' }), {
    timeout: 20_000,
    interval: 100,
  })
  await jobs.stop()
  expect(await item(id)).toMatchObject({ streams: 30, executions: 30, records: 90 })
})

test('two processes at one step count it once', async () => {
  const { id } = await ask()
  const key = { projectId, id }
  await claimReingest(db.sql, key)
  await Promise.all([stepReingest(db, key), stepReingest(db, key)])
  expect(await item(id)).toMatchObject({ streams: 30, records: 90 })
  await releaseReingest(db.sql, key)
  expect(await claimReingest(db.sql, key)).toBe(true)
})

test('a stream that cannot be read anew is named, and the others are', async () => {
  const [broken] = await db.sql<{ id: string; stream_id: string; kind: string }[]>`
    select id, stream_id, kind from streams order by id offset 3 limit 1`
  await db.sql`update streams set kind = 'no-such-kind' where id = ${broken!.id}`
  const { id } = await ask()
  const key = { projectId, id }
  await claimReingest(db.sql, key)
  while (await stepReingest(db, key));
  await db.sql`update streams set kind = ${broken!.kind} where id = ${broken!.id}`
  expect(await item(id)).toMatchObject({
    state: 'done',
    streams: 30,
    executions: 30,
    records: 87,
    problemsTotal: 1,
    problems: [{ kind: 'stream', id: broken!.id, name: broken!.stream_id, error: 'TypeError' }],
  })
})

test('a job whose own work breaks has failed with the reason, and one whose database is away goes on later', async () => {
  const { id } = await ask()
  const key = { projectId, id }
  await claimReingest(db.sql, key)
  const failing = (error: Error) => ({
    ...db,
    sql: new Proxy(db.sql, {
      get: (sql, name) => {
        if (name === 'begin') return () => Promise.reject(error)
        return Reflect.get(sql, name) as unknown
      },
    }),
  })
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  await expect(stepReingest(failing(away), key)).rejects.toBe(away)
  expect(await item(id)).toMatchObject({ state: 'running' })
  await db.sql`alter table events rename column facts to facts_gone`
  expect(await stepReingest(db, key)).toBe(false)
  await db.sql`alter table events rename column facts_gone to facts`
  expect(await item(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('facts') })
})
