import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { Transcript } from '../seed/transcript'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { analyseExecutions } from '../writes/derive/analyse'
import { checkParity } from './check-parity'
import { InTheWay } from '../give-way'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { reingest } from '../rebuild/reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const transcript = () =>
  new Transcript({ sessionId: '0f0f0f0f-0000-4000-8000-000000000011' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
    .call('Bash', { command: 'make' }, { ok: 'built' })
const take = async (text: string): Promise<string> =>
  (await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes: Buffer.from(text) }))
    .executions[0]!.id
const tamper = (work: (sql: TestDb['sql']) => Promise<unknown>) =>
  db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await work(tx as never)
  })
const check = (id: string, options: Partial<Parameters<typeof checkParity>[3]> = {}) =>
  checkParity(db, [projectId], id, { trigger: 'demand', ...options })
const standing = async () =>
  (
    await db.sql`
  select verdict, worst, due_for, due_at is null as never, due_at > now() + interval '20 days' as late, check_id = (select id from parity_checks order by checked_at desc, id desc limit 1) as newest from parity_standing`
  )[0]

test('what an import leaves is due, soon when it has ended', async () => {
  await take(transcript().text)
  expect(
    await db.sql`select check_id, due_for, due_at > now() as later, due_at < now() + interval '1 minute' as soon from parity_standing`,
  ).toEqual([{ check_id: null, due_for: 'terminal', later: true, soon: true }])
})

test('a check is stored with the digests of what was compared, and its execution is left alone until it changes', async () => {
  const id = await take(transcript().text)
  const done = await check(id)
  const [row] = await db.sql`select * from parity_checks`
  expect(row).toMatchObject({
    execution_id: id,
    trigger: 'demand',
    verdict: 'equal',
    worst: null,
    differences: [],
    differences_total: 0,
    is_whole: true,
    changed_parts: [],
    failed_controls: [],
    layers: done!.layers,
    checked_at: done!.checkedAt,
    execution_version: 1,
  })
  expect(done!.layers).toEqual(
    [0, 1].map((i) => ({
      form: 'record',
      layer: ['source', 'persisted'][i],
      state: 'read',
      why: null,
      rule: null,
      params: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: expect.any(Number),
    })),
  )
  expect(done!.layers[0]!.sha256).toBe(done!.layers[1]!.sha256)
  expect(await standing()).toEqual({
    verdict: 'equal',
    worst: null,
    due_for: 'sweep',
    never: false,
    late: true,
    newest: true,
  })
  await take(transcript().call('Bash', { command: 'ship' }, { fails: 'Exit code 9' }).text)
  expect(await standing()).toMatchObject({ verdict: 'equal', due_for: 'terminal', late: false })
})

test('what differs is stored with its places, list indices put together, and goes when it is mended', async () => {
  const id = await take(transcript().text)
  await tamper((sql) => sql`update events set summary = 'nothing' where execution_id = ${id}`)
  await check(id, { trigger: 'sweep' })
  const [row] =
    await db.sql`select trigger, verdict, worst, differences, differences_total from parity_checks`
  expect(row).toMatchObject({ trigger: 'sweep', verdict: 'different', worst: 'medium' })
  expect(row!.differences).toHaveLength(row!.differences_total)
  expect(
    await db.sql`select path, kind, from_layer, to_layer, severity, differences from parity_places`,
  ).toEqual([
    {
      path: '/events/*/summary',
      kind: 'changed_value',
      from_layer: 'source',
      to_layer: 'persisted',
      severity: 'medium',
      differences: row!.differences_total,
    },
  ])
  await expect(
    db.sql`update parity_checks set verdict = 'equal'`,
    'what was found stays',
  ).rejects.toMatchObject({ code: '23001' })
  await reingest(db)
  expect((await check(id))!.compared.verdict).toBe('equal')
  expect(await db.sql`select 1 from parity_places`).toEqual([])
})

test('a check that was overtaken by a change leaves the next one due', async () => {
  const id = await take(transcript().text)
  // Between the reading and the storing.
  const slow = {
    ...db,
    sql: new Proxy(db.sql, {
      get: (sql, key) =>
        key !== 'begin'
          ? (Reflect.get(sql, key) as unknown)
          : async (work: never) => {
              try {
                return await sql.begin(work)
              } finally {
                await db.sql`update executions set version = version + 1 where id = ${id}`
              }
            },
    }),
  }
  await db.sql`update parity_standing set due_at = '2001-01-01'`
  await checkParity(slow, [projectId], id, { trigger: 'sweep' })
  expect(await db.sql`select due_at from parity_standing`).toEqual([{ due_at: '2001-01-01T00:00:00.000Z' }])
})

test('what is too large is noted, and not tried again until it changes', async () => {
  const id = await take(transcript().text)
  await tamper(
    (sql) => sql`update executions set records = ${limits.rederiveRecordsMax + 1} where id = ${id}`,
  )
  await check(id, { trigger: 'sweep' })
  expect(await db.sql`select verdict, layers from parity_checks`).toMatchObject([
    {
      verdict: 'unknown',
      layers: [{ state: 'skipped_too_large', sha256: null }, { state: 'skipped_too_large' }],
    },
  ])
  expect(await standing()).toMatchObject({ never: true })
  await take(transcript().call('Bash', { command: 'ship' }, { ok: 'x' }).text)
  expect(await standing()).toMatchObject({ never: false })
})

test('a check whose controls fail says that it is not trustworthy, and nothing is drawn of it', async () => {
  const id = await take(transcript().text)
  await tamper((sql) => sql`update events set summary = 'nothing' where execution_id = ${id}`)
  await check(id, { failed: ['intact'] })
  expect(await db.sql`select verdict, failed_controls from parity_checks`).toEqual([
    { verdict: 'not_trustworthy', failed_controls: ['intact'] },
  ])
  expect(await db.sql`select 1 from parity_places`).toEqual([])
})

test('of one execution the newest checks are kept, no more than the limit', async () => {
  const id = await take(transcript().text)
  const at: string[] = []
  for (let i = 0; i < limits.parityChecksKept + 2; i++) at.push((await check(id))!.checkedAt)
  const kept = await db.sql<
    { checked_at: string }[]
  >`select checked_at from parity_checks order by checked_at, id`
  expect(kept.map((row) => row.checked_at)).toEqual(at.slice(2))
})

test('an execution that is gone takes its checks with it', async () => {
  const id = await take(transcript().text)
  await check(id)
  await db.sql.begin(async (tx) => {
    await tx`set local inquest.rebuilding = 'on'`
    await tx`delete from events where execution_id = ${id}`
  })
  await analyseExecutions(db, [id])
  expect(
    await db.sql`select (select count(*)::int from executions) as e, (select count(*)::int from parity_standing) as s, (select count(*)::int from parity_checks) as c`,
  ).toEqual([{ e: 0, s: 0, c: 0 }])
})

test('one that gives way does not begin while an import holds the stream, and leaves nothing', async () => {
  const id = await take(transcript().text)
  const [{ stream_id: name }] = (await db.sql`select stream_id from streams`) as unknown as [
    { stream_id: string },
  ]
  await db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`stream ${projectId} ${name}`}, 0))`
    await expect(check(id, { givesWay: new AbortController().signal })).rejects.toBeInstanceOf(InTheWay)
  })
  expect(await db.sql`select 1 from parity_checks`).toEqual([])
  expect((await check(id, { givesWay: new AbortController().signal }))!.compared.verdict).toBe('equal')
})

test('one that gives way is broken off when an import waits for it', async () => {
  const id = await take(transcript().text)
  // A check that would never end: it waits inside of its transaction while it contains the stream.
  await db.sql`create function wait_for_ever() returns trigger language plpgsql as 'begin perform pg_sleep(600); return new; end'`
  await db.sql`create trigger wait_here after insert on calls for each statement when (current_setting('lock_timeout') <> '0') execute function wait_for_ever()`
  const begun = check(id, { givesWay: new AbortController().signal })
  const ended = expect(begun).rejects.toBeInstanceOf(InTheWay)
  await new Promise<void>((resolve) => {
    const look = async (): Promise<void> => {
      const held = await db.sql`select 1 from pg_locks where locktype = 'advisory' and granted`
      if (held.length > 0) return resolve()
      setTimeout(() => void look(), 20)
    }
    void look()
  })
  const more = await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(transcript().call('Bash', { command: 'ship' }, { fails: 'Exit code 9' }).text),
  })
  expect(more.accepted).toBe(2)
  await ended
  await db.sql`drop trigger wait_here on calls`
  expect(await db.sql`select records from executions`).toEqual([{ records: 7 }])
  expect((await check(id, { givesWay: new AbortController().signal }))!.compared.verdict).toBe('equal')
})
