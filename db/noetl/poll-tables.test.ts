import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildRun, stepRows } from '@/e2e/support/noetl/build-run'
import { python } from '@/e2e/support/noetl/python-dialect'
import { rowsOf, sliceRows, type NoetlRun } from '@/e2e/support/noetl/runs'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { layNoetlTables } from '@/e2e/support/noetl/tables'
import { limits } from '@/lib/limits'
import { listCalls } from '../queries/calls'
import { readExecution } from '../queries/execution'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { findTables } from './find-tables'
import type { TablesCursor } from '../schema/connections'
import { pollTables } from './poll-tables'
import { readRows } from './read-runs'
import { openTables } from './tables-client'

let db: TestDb
let engine: TestDb
let projectId: string
beforeAll(async () => {
  ;[db, engine] = await Promise.all([testDb(), testDb()])
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => Promise.all([db.close(), engine.close()]))

const source = { kind: 'noetl', name: 'engine' }
const lay = (runs: readonly NoetlRun[] = seedRuns()) => layNoetlTables(engine.sql, runs)
const poll = (
  cursor: TablesCursor | null = null,
  more: { rowsMax?: number; url?: string; signal?: AbortSignal } = {},
) => pollTables(db, { projectId, source, url: engine.url, allowPrivate: true, cursor, ...more })
/** Visits until the log ends. */
async function pollAll(rowsMax?: number): Promise<TablesCursor> {
  let polled = await poll(null, { rowsMax })
  while (polled.state === 'more') polled = await poll(polled.cursor, { rowsMax })
  expect(polled.state).toBe('up_to_date')
  return polled.cursor!
}
/** All its pages, as they are fetched. */
async function takeApi(run: NoetlRun): Promise<void> {
  for (let page = 1, more = true; more; page++) {
    const { body } = python.one('detail', run, {
      runs: [run],
      query: new URLSearchParams({ page_size: '500', page: String(page) }),
      losses: {},
    })!
    await ingestBody(db, { projectId, source, kind: 'noetl', bytes: Buffer.from(body) })
    more = /"has_next": ?true/.test(body)
  }
}
const seeded = (id: string): NoetlRun => seedRuns().find(({ executionId }) => executionId === id)!
/** What is known of all runs that are here. */
async function essence(runs: readonly string[] = Object.values(SEED)) {
  const all: Record<string, unknown> = {}
  for (const run of runs) {
    const [key] = await db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${run}`
    const found = key && (await readExecution(db, [projectId], key.id))
    if (!found) continue
    // Only the API says which version of a playbook ran.
    const { version: _, ...labels } = found.labels
    const calls = (await listCalls(db, { projectIds: [projectId], id: key.id })).items
    all[run] = {
      outcome: found.outcome,
      rule: found.outcomeRule,
      because: found.outcomeBecause,
      labels,
      parent: found.parentId !== null,
      cause: found.cause?.text,
      called: found.counts.calls,
      failed: found.counts.failedByClass,
      chains: found.counts.chains,
      startedAt: found.startedAt,
      endedAt: found.endedAt,
      calls: calls.map(({ callId, tool, state, target, numberInChain, linkRule, linkBasis, childId }) => [
        callId,
        tool,
        state,
        target,
        numberInChain,
        linkRule,
        linkBasis,
        childId !== null,
      ]),
    }
  }
  return all
}

test('all runs of the tables are taken in, judged, with attempts that the source asserts', async () => {
  await lay()
  const polled = await poll()
  expect(polled).toMatchObject({
    state: 'up_to_date',
    executions: expect.arrayContaining([
      expect.objectContaining({ externalId: SEED.parent, outcome: 'failed' }),
    ]),
  })
  expect(polled.executions).toHaveLength(9)
  const all = (await essence()) as Record<
    string,
    { outcome: string; calls: unknown[][]; labels: object; parent: boolean }
  >
  expect(Object.keys(all)).toHaveLength(9)
  expect(
    all[SEED.retrying]!.calls.map(([, , state, , attempt, rule, basis]) => [state, attempt, rule, basis]),
  ).toEqual([
    ['failed', 1, null, null],
    ['no_result', 2, 'attempt 2 of 3', 'recorded'],
  ])
  expect(all[SEED.cancelledChild]).toMatchObject({ outcome: 'cancelled', parent: true })
  expect(all[SEED.rows501]).toMatchObject({ outcome: 'succeeded', labels: {} })
})

test('a visit that is repeated adds nothing, and one after it reads only what is new', async () => {
  await lay()
  const first = await poll()
  const before = await essence()
  expect(await poll()).toMatchObject({ rows: 0, state: 'up_to_date', cursor: first.cursor })
  expect(await poll(first.cursor)).toMatchObject({ rows: 0, executions: [], cursor: first.cursor })
  expect(await essence()).toEqual(before)
  await engine.sql`insert into noetl.event (execution_id, event_id, event_type, node_name, created_at)
    select execution_id, event_id + 4194304000, 'command.failed', 'fetch', created_at + interval '1 second' from noetl.event
    where execution_id = ${SEED.retrying}::text::bigint order by event_id desc limit 1`
  const next = await poll(first.cursor)
  // The row, and how many the log holds now.
  expect(next).toMatchObject({ rows: 2, executions: [{ externalId: SEED.retrying, outcome: 'failed' }] })
})

test('small visits give what one gives', async () => {
  await lay()
  await pollAll()
  const whole = await essence()
  await forgetEverything(db)
  await pollAll(40)
  expect(await essence()).toEqual(whole)
})

test('rows of the API and of the tables are one run, whichever came first', async () => {
  await lay()
  await pollAll()
  const alone = await essence()
  await forgetEverything(db)
  for (const run of seedRuns()) await takeApi(run)
  const api = (await essence()) as Record<string, { outcome: string; called: number; failed: unknown }>
  await pollAll()
  const after = (await essence()) as typeof api
  await forgetEverything(db)
  await pollAll()
  for (const run of seedRuns().toReversed()) await takeApi(run)
  expect(await essence()).toEqual(after)
  for (const [run, { outcome, called, failed }] of Object.entries(api))
    expect([run, after[run]!.outcome, after[run]!.called, after[run]!.failed]).toEqual([
      run,
      outcome,
      called,
      failed,
    ])
  expect(after).toEqual(alone)
})

test('an item of a loop is no retry, as the tables tell it', async () => {
  const run = buildRun({
    path: 'loops/two',
    startedAt: '2026-05-06T10:00:00Z',
    sequence: 77,
    rows: [
      ...stepRows({
        at: 100,
        ms: 50,
        name: 'fetch',
        commandId: '700',
        context: { status: 'error' },
        error: 'HTTP 503',
      }),
      ...stepRows({ at: 200, ms: 50, name: 'fetch', commandId: '701', context: { status: 'ok' } }),
      { at: 300, eventType: 'playbook.completed', nodeName: 'loops/two', result: { status: 'COMPLETED' } },
    ],
  })
  const attempts = async () =>
    ((await essence([run.executionId]))[run.executionId] as { calls: unknown[][] }).calls.map(
      ([, , state, target, attempt, , basis]) => [state, target, attempt, basis],
    )
  await takeApi(run)
  expect(await attempts()).toEqual([
    ['failed', null, 1, null],
    ['succeeded', null, 2, 'inferred'],
  ])
  await lay([run])
  await pollAll()
  expect(await attempts()).toEqual([
    ['failed', 'pass 1', 1, null],
    ['succeeded', 'pass 2', null, null],
  ])
})

test('a row that was written late, under an id that is older than the cursor, is found', async () => {
  const whole = seeded(SEED.parent)
  const events = sliceRows(whole.events, 0, whole.events.count)
  const without = { ...whole, events: rowsOf(events.filter((_, i) => i !== 1)) }
  await lay([whole])
  await pollAll()
  const expected = await essence([SEED.parent])
  await forgetEverything(db)
  await lay([without])
  const early = await poll()
  expect((await essence([SEED.parent]))[SEED.parent]).not.toEqual(expected[SEED.parent])
  await lay([whole])
  await poll(early.cursor)
  expect(await essence([SEED.parent])).toEqual(expected)
  // And by the count of the log where another visit was between.
  await forgetEverything(db)
  await lay([{ ...without, events: rowsOf(events.filter((_, i) => i !== 1 && i < events.length - 1)) }])
  const first = await poll()
  await lay([whole])
  await poll({ ...first.cursor!, recent: [] })
  expect(await essence([SEED.parent])).toEqual(expected)
})

test('a database that goes in the middle leaves the cursor, and the next visit makes good what is missing', async () => {
  await lay()
  await pollAll()
  const whole = await essence()
  await forgetEverything(db)
  const stop = new AbortController()
  let bodies = 0
  const counting: Pick<TestDb, 'sql'> = {
    sql: new Proxy(db.sql, {
      get(target, key) {
        if (key !== 'begin') return Reflect.get(target, key) as unknown
        return (work: never) => {
          if (++bodies === 4) stop.abort()
          return target.begin(work)
        }
      },
    }),
  }
  const broken = await pollTables(counting, {
    projectId,
    source,
    url: engine.url,
    allowPrivate: true,
    cursor: null,
    signal: stop.signal,
  })
  expect(broken).toMatchObject({ state: 'cancelled', cursor: null })
  expect(broken.rows).toBeGreaterThan(0)
  await pollAll()
  expect(await essence()).toEqual(whole)
})

test('a database that cannot be read is told in a word, and nothing is lost', async () => {
  await lay()
  const { cursor } = await poll()
  const nowhere = new URL(engine.url)
  nowhere.port = '1'
  expect(await poll(cursor, { url: nowhere.href })).toEqual({
    state: 'unreachable',
    cursor,
    executions: [],
    rows: 0,
  })
  await engine.sql`drop schema noetl cascade`
  expect(await poll(cursor)).toEqual({ state: 'no_such_table', cursor, executions: [], rows: 0 })
})

test('200,000 rows are read in pieces that hold no more than a few megabytes', async () => {
  await lay([])
  await engine.sql`insert into noetl.event (execution_id, event_id, event_type, node_name, status, created_at, result)
    select 7, 600000000000000000 + i, case i when 1 then 'playbook.initialized' when 200000 then 'playbook.completed' else 'loop.item' end, 'each', 'RUNNING',
      timestamp '2026-05-06 08:00' + i * interval '1 millisecond', jsonb_build_object('status', 'RUNNING', 'context', jsonb_build_object('text', repeat(md5(i::text), 8)))
    from generate_series(1, 200000) i`
  const tables = openTables(engine.url, { allowPrivate: true })
  let [rows, largest, after] = [0, 0, '-1']
  for (let more = true; more; ) {
    const batch = await tables.read(async (tx) =>
      readRows(tx, await findTables(tx), '7', after, '9223372036854775807'),
    )
    largest = Math.max(largest, batch.bytes.length)
    rows += Buffer.from(batch.bytes).toString().split('\n').length - 1
    after = batch.last!
    more = batch.more
  }
  await tables.close()
  expect(rows).toBe(200_000)
  expect(largest).toBeLessThan(limits.tableBatchBytes + 32 * 1024)
})
