import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDb, type TestDb } from '@/db/testing/test-db'
import { longRun } from './build-run'
import { isObject, readJson, type Json, type JsonObject } from './json'
import type { Losses } from './losses'
import { EVERY_LONG_ID, SEED, seedRuns } from './seed'
import { layNoetlTables } from './tables'

let db: TestDb
beforeAll(async () => {
  db = await testDb()
})
afterAll(() => db.close())

const lay = (losses?: Losses, runs = seedRuns()) => layNoetlTables(db.sql, runs, losses)

/** The rows of a run as a reader gets them that asks for text. */
async function rowsOf(executionId: string): Promise<JsonObject[]> {
  const rows = await db.sql<{ row: string }[]>`
    select to_jsonb(e)::text as row from noetl.event_log e where execution_id = ${executionId}::text::bigint order by event_id`
  return rows.map(({ row }) => readJson(row)).filter(isObject)
}
const ofAgent = async (id: string, node: string): Promise<JsonObject> =>
  (await rowsOf(id)).find(({ node_name, event_type }) => node_name === node && event_type === 'call.done')!
const contextOf = (row: JsonObject): Json => (isObject(row.result) ? (row.result.context ?? null) : null)

test('rows stand in the log with every digit, in columns and inside of JSON', async () => {
  await lay()
  const [first, issued, completed] = await rowsOf(SEED.everyId)
  expect([first!.execution_id, first!.parent_execution_id].map(String)).toEqual([SEED.everyId, SEED.rows501])
  for (const [field, number] of Object.entries(EVERY_LONG_ID)) {
    const places = [issued!.context, issued!.meta, contextOf(completed!)] as JsonObject[]
    expect(places.map((place) => String(place[field]))).toEqual(places.map(() => String(number)))
  }
  expect((await rowsOf(SEED.rows501)).map(({ event_id }) => String(event_id))).toHaveLength(501)
  const [counts] =
    await db.sql`select (select count(*) from noetl.execution) as runs, (select count(*) from noetl.catalog) as playbooks`
  expect(counts).toEqual({ runs: 9, playbooks: 9 })
})

test('times are UTC: one column does not say so, the others do', async () => {
  const times = await db.sql`
    select created_at::text as bare, event_time = created_at at time zone 'UTC' as same from noetl.event
    where execution_id = ${SEED.cancelledChild}::text::bigint and event_type = 'execution.cancelled'`
  expect([...times]).toEqual([{ bare: '2026-05-06 07:40:05', same: true }])
})

test('commands have their attempts, which the API never shows', async () => {
  const commands = await db.sql`
    select node_name, attempt, max_attempts, status, error, tool_kind from noetl.command
    where execution_id = ${SEED.retrying}::text::bigint order by command_id`
  expect([...commands]).toEqual([
    {
      node_name: 'fetch',
      attempt: 1,
      max_attempts: 3,
      status: 'FAILED',
      error: 'HTTP 503',
      tool_kind: 'http',
    },
    { node_name: 'fetch', attempt: 2, max_attempts: 3, status: 'RUNNING', error: null, tool_kind: 'http' },
  ])
})

test('a loss in the log is there, one in the API is not', async () => {
  const diagnosis = async () =>
    (contextOf(await ofAgent(SEED.parent, 'reconcile_ledger')) as { error?: JsonObject }).error?.diagnosis
  await lay({ roundedIds: true, stringifiedContext: true })
  expect(await diagnosis()).toHaveProperty('_meta')
  await lay({ scalarOnlyProjection: true })
  expect(await diagnosis()).toBeUndefined()
  await lay({ flatDiagnosis: true })
  expect(await diagnosis()).not.toHaveProperty('_meta')
  await lay({ handleInsteadOfDiagnosis: true })
  expect(await diagnosis()).toMatchObject({ execution_id: SEED.diagnosis, status: 'started' })
  await lay({ contextCap: true })
  const left = contextOf(await ofAgent(SEED.largeContext, 'export_all')) as JsonObject
  expect(Object.keys(left).toSorted()).toEqual(['command_id', 'worker_id'])
  await lay({ roundedIds: 'event_log' })
  const [, , completed] = await rowsOf(SEED.everyId)
  expect(String((contextOf(completed!) as JsonObject).command_id)).toBe(
    String(Number(EVERY_LONG_ID.command_id)),
  )
})

test('a result has the shape that the source checks, unless its context is to be a text', async () => {
  await lay()
  const insert = (result: string) => db.sql`
    insert into noetl.event (execution_id, event_id, event_type, result) values (1, 1, 'call.done', ${result}::text::jsonb)`
  for (const bad of [
    '[]',
    '{}',
    '{"status":1}',
    '{"status":"x","context":"text"}',
    '{"status":"x","extra":1}',
  ]) {
    await expect(insert(bad)).rejects.toMatchObject({ code: '23514' })
  }
  await lay({ stringifiedContext: 'event_log' })
  expect(typeof contextOf(await ofAgent(SEED.parent, 'reconcile_ledger'))).toBe('string')
})

test('the table of executions lags behind the log', async () => {
  const parent = async () =>
    (
      await db.sql`
    select status, last_event_type, end_time from noetl.execution where execution_id = ${SEED.parent}::text::bigint`
    )[0]
  await lay()
  expect(await parent()).toMatchObject({ status: 'COMPLETED', last_event_type: 'playbook.completed' })
  await lay({ executionLag: 1 })
  expect(await parent()).toMatchObject({
    status: 'RUNNING',
    last_event_type: 'command.completed',
    end_time: null,
  })
})

test('20,000 rows are laid in parts', async () => {
  const run = longRun(20_000)
  await lay({}, [run])
  const [row] = await db.sql`select count(*) as n, max(event_id)::text as newest from noetl.event`
  expect(row).toEqual({ n: 20_000, newest: run.events.at(19_999).eventId })
})

test('a schema that is not ours is left alone', async () => {
  const foreign = await testDb()
  try {
    await foreign.sql`create schema noetl`
    await foreign.sql`create table noetl.event (kept integer)`
    await expect(layNoetlTables(foreign.sql, seedRuns())).rejects.toThrow('not of the stand-in')
    expect((await foreign.sql`select count(*) as n from noetl.event`)[0]).toEqual({ n: 0 })
  } finally {
    await foreign.close()
  }
})
