import { readdirSync, readFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import type { IngestBody } from '../writes/receive/ingest-body'
import { ensureProject } from '../projects'
import { reingest } from './reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const take = (text: string | Uint8Array, more: Partial<IngestBody> = {}) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    ...more,
  })

const SESSION = '0b0b0b0b-0000-4000-8000-000000000001'
const SECRET = `ghp_${'a1B2'.repeat(9)}`

test('gives what was there before, also where secrets were taken out, lines are torn or files began alike', async () => {
  const main = new Transcript({ sessionId: SESSION })
    .user(`the key is ${SECRET}, ask me@example.org`)
    .call('Bash', { command: `deploy ${SECRET}` }, { fails: 'Exit code 1' })
  const text = main.call('Bash', { command: `deploy ${SECRET}` }, { ok: `done ${SECRET}` }).text
  const cut = text.indexOf('\n', 700) + 1
  const { streamId } = await take(text.slice(0, cut), { fileName: `${SESSION}.jsonl` })
  await take(text.slice(0, -30))
  await take(text)
  await take(text.replace('Exit code 1', 'Exit code 2'))
  await take(
    new Transcript({ sessionId: SESSION, agentId: 'a1' }).user('go').says('done').text.slice(0, -9),
    { fileName: `${SESSION}/subagents/agent-a1.jsonl` },
  )
  await take(
    `{"session_id":"${SESSION}","hook_event_name":"Stop","last_assistant_message":"${SECRET}"}\nnot json ${SECRET}`,
    { kind: 'claude-hook' },
  )
  await take('something else', { offset: 1_000_000, streamId })
  const before = await storedContent(db)
  const ids = await db.sql`select id, external_id, version from executions order by 1`

  const phases = new Set<string>()
  const done = await reingest(db, { onProgress: ({ phase }) => phases.add(phase) })

  expect(done).toMatchObject({ executions: before.executions.length, records: before.events.length })
  expect([...phases]).toEqual(['streams', 'executions'])
  expect(await storedContent(db)).toEqual(before)
  expect(await db.sql`select id, external_id, version from executions order by 1`).toEqual(ids)
})

test('what came to the hook and is no frame stays kept and without an execution', async () => {
  await take('hello\n{"hook_event_name":"Stop"}\n', { kind: 'claude-hook' })
  const before =
    await db.sql`select reason, detail, received_id, stream_id, execution_id from odd_input order by received_id`
  expect(before).toHaveLength(2)
  expect(await reingest(db)).toMatchObject({ streams: 2, executions: 0 })
  expect(
    await db.sql`select reason, detail, received_id, stream_id, execution_id from odd_input order by received_id`,
  ).toEqual(before)
  expect(await db.sql`select 1 from executions`).toEqual([])
})

test('repairs derived rows that were changed or lost', async () => {
  await take(
    new Transcript({ sessionId: SESSION })
      .user('go')
      .call('Bash', { command: 'false' }, { fails: 'Exit code 1' }).text,
  )
  const before = await storedContent(db)
  await db.sql`update executions set outcome = 'succeeded', digest = ''`
  await db.sql`delete from calls`
  await db.sql.begin(async (tx) => {
    await tx`set local inquest.rebuilding = 'on'`
    await tx`delete from events`
  })
  await reingest(db)
  const after = await storedContent(db)
  expect({ ...after, counts: [] }).toEqual({ ...before, counts: [] })
})

test('a stream goes on after it as if nothing had been', async () => {
  const text = new Transcript({ sessionId: SESSION })
    .user('go')
    .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
    .call('Bash', { command: 'false' }, { ok: 'yes' }).text
  await take(text)
  const wanted = await storedContent(db)
  await forgetEverything(db)
  await take(text.slice(0, 1500))
  await reingest(db)
  await take(text)
  expect(await storedContent(db)).toEqual(wanted)
})

test('failure signals are looked for by the tag that it is called with, in every kind of part, as on the day they came', async () => {
  const said = (tag: string): string => `<${tag}>why ${SECRET}</${tag}>`
  const both = `${said('x-failed')} ${said('octopus-task-failed').replaceAll('why', 'other')}`
  const found = async (): Promise<string[]> =>
    (
      await db.sql<{ found: string }[]>`
    select channel || ' ' || split_part(coalesce(facts->'runResult'->'signal', facts->'said'->'signal')->>'reason', ' ', 1) as found from events
    where facts->'runResult'->'signal' is not null or facts->'said'->'signal' is not null order by channel, byte_offset`
    ).map((row) => row.found)
  const failureTag = 'x-failed'
  const text = new Transcript({ sessionId: SESSION }).user('go').says(both).says('on').says(both).text
  const [a, b] = [text.indexOf('\n') + 1, text.lastIndexOf('\n', text.length - 2) + 1]
  const { streamId } = await take(text.slice(0, a), { failureTag })
  await take(text.slice(b), { streamId, offset: b, failureTag })
  await take(text.slice(a, b), { streamId, offset: a, failureTag })
  await take(`{"session_id":"${SESSION}","hook_event_name":"Stop","last_assistant_message":"${both}"}`, {
    kind: 'claude-hook',
    failureTag,
  })
  await take(
    `${JSON.stringify({ type: 'result', subtype: 'success', session_id: SESSION, result: both })}\n`,
    { kind: 'claude-stream', failureTag },
  )
  const wanted = ['hook why', 'stream why', 'transcript why', 'transcript why']
  expect(await found()).toEqual(wanted)
  expect(await db.sql`select outcome, cause_category from executions`).toMatchObject([
    { outcome: 'failed', cause_category: 'agent_signal' },
  ])
  await reingest(db)
  expect(await found()).toEqual(wanted.map((one) => one.replace('why', 'other')))
  await reingest(db, { failureTag })
  expect(await found()).toEqual(wanted)
  await reingest(db, { failureTag: 'y-failed' })
  expect(await found()).toEqual([])
})

const samples = path.join(import.meta.dirname, '../../../shared/samples/claude-code')
test.runIf(existsSync(samples))(
  'leaves the sample transcripts as they were',
  { timeout: 120_000 },
  async () => {
    for (const name of readdirSync(samples).filter((file) => file.endsWith('.jsonl')))
      await take(readFileSync(path.join(samples, name)), { fileName: name })
    const before = await storedContent(db)
    await reingest(db)
    expect(await storedContent(db)).toEqual(before)
  },
)
