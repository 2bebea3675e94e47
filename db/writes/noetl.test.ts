import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listCalls } from '../queries/calls'
import { listExecutions } from '../queries/executions'
import { listEvents } from '../queries/events'
import { readExecution } from '../queries/execution'
import { emptyFilter } from '@/lib/views/executions/filter'
import { compareLayers } from '@/lib/judge/parity/compare-layers'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from '../projects'
import { readStoredLayers } from '../rebuild/rederive'
import { reingest } from '../rebuild/reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const RUN = '620356925057663015'
const CHILD = '620356931248455716'
const take = (text: string) =>
  ingestBody(db, { projectId, source: null, kind: 'noetl', bytes: new TextEncoder().encode(text) })
const idOf = async (run: string) =>
  (
    await db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${run}`
  )[0]!.id
const read = async (run: string) => (await readExecution(db, [projectId], await idOf(run)))!

type Row = Record<string, unknown>
let next = 620357000000000000n
/** A row of a run; its id is a number that binary64 cannot hold. */
const row = (run: string, type: string, node: string, more: Row = {}): string => {
  next += 33n
  const at = new Date(Date.UTC(2026, 4, 5) + Number(next % 100_000n)).toISOString()
  return `{"execution_id":"${run}","event_id":${next},${JSON.stringify({ event_type: type, node_name: node, created_at: at, ...more }).slice(1)}`
}
const page = (
  run: string,
  rows: string[],
  { total = rows.length, number = 1, parent = null as string | null } = {},
): string =>
  `{\n "execution_id":"${run}","path":"tests/${run}","status":"COMPLETED","start_time":"2026-05-05T00:00:00","parent_execution_id":${JSON.stringify(parent)},` +
  `"events":[${rows.toReversed().join(',\n')}],"pagination":{"page":${number},"total_events":${total},"has_next":${number === 1 && total > rows.length}}}`
const failure = {
  status: 'COMPLETED',
  context: {
    status: 'error',
    framework: 'noetl',
    execution_id: CHILD,
    error: { kind: 'agent.execution', code: 'PLAYBOOK_FAILED', message: 'no' },
  },
}
const parentRows = () => [
  row(RUN, 'playbook.initialized', 'tests'),
  row(RUN, 'command.issued', 'ask', { context: { tool_kind: 'agent' } }),
  row(RUN, 'call.done', 'ask', { result: failure }),
  row(RUN, 'command.completed', 'ask', { result: failure }),
  row(RUN, 'command.issued', 'tell'),
  row(RUN, 'command.completed', 'tell'),
  row(RUN, 'playbook.completed', 'tests'),
]

test('a run that reads COMPLETED is listed and counted as a failed one when an agent inside failed', async () => {
  const { executions, accepted } = await take(page(RUN, parentRows()))
  expect({ accepted, executions }).toMatchObject({
    accepted: 8,
    executions: [{ externalId: RUN, outcome: 'failed' }],
  })
  expect(await read(RUN)).toMatchObject({
    outcome: 'failed',
    failedAt: 'agent',
    cause: { category: 'agent_failure' },
    counts: { failedByClass: { agent_failure: 1 } },
    source: { kind: 'noetl' },
    title: `tests/${RUN}`,
  })
  const [found] =
    await db.sql`select 1 from execution_marks where project_id = ${projectId} and mark like '%agent_failure%'`
  expect(found).toBeDefined()
})

test('a list tells why an agent failed inside a run as soon as the agent’s own run is stored', async () => {
  await take(page(RUN, parentRows()))
  const listed = async () =>
    (await listExecutions(db, { projectIds: [projectId], filter: emptyFilter() })).items.find(
      ({ externalId }) => externalId === RUN,
    )!
  expect(await listed()).toMatchObject({ cause: { category: 'agent_failure' }, agentCause: null })
  const why = { status: 'FAILED', error: 'the ledger is locked' }
  await take(
    page(
      CHILD,
      [
        row(CHILD, 'playbook.initialized', 'child'),
        row(CHILD, 'command.issued', 'book'),
        row(CHILD, 'command.failed', 'book', why),
        row(CHILD, 'playbook.failed', 'child', why),
      ],
      { parent: RUN },
    ),
  )
  const { cause } = await read(CHILD)
  expect(cause!.text).toContain('the ledger is locked')
  expect((await listed()).agentCause).toBe(cause!.text)
  expect((await read(RUN)).agentCause).toBe(cause!.text)
})

test('the same document twice adds nothing, and a later one adds only its new rows', async () => {
  const rows = parentRows()
  const early = page(RUN, rows.slice(0, 2))
  await take(early)
  expect((await read(RUN)).outcome).toBe('running')
  expect(await take(early)).toMatchObject({ accepted: 0, duplicates: 3 })
  await take(page(RUN, rows))
  const after = await read(RUN)
  expect(after).toMatchObject({ outcome: 'failed', counts: { calls: 2, failedCalls: 1 } })
  // Two documents and seven rows.
  expect(after.counts.records).toBe(9)
})

test('pages in any order, apart or in one list, give the same run', async () => {
  const rows = parentRows()
  const [first, second] = [
    page(RUN, rows.slice(3), { total: 7 }),
    page(RUN, rows.slice(0, 4), { total: 7, number: 2 }),
  ]
  const essence = async () => {
    const { outcome, outcomeRule, cause, counts, labels, startedAt, endedAt } = await read(RUN)
    const calls = (await listCalls(db, { projectIds: [projectId], id: await idOf(RUN) })).items.map(
      ({ callId, tool, state, failureClass }) => ({ callId, tool, state, failureClass }),
    )
    return {
      outcome,
      outcomeRule,
      cause: cause?.text,
      called: counts.calls,
      labels,
      startedAt,
      endedAt,
      calls,
    }
  }
  await take(first)
  expect((await read(RUN)).labels).toMatchObject({ rows: 'incomplete: 4 of 7' })
  await take(second)
  const inOrder = await essence()
  expect(inOrder).toMatchObject({ outcome: 'failed', called: 2, labels: {} })
  await forgetEverything(db)
  await take(second)
  await take(first)
  expect(await essence()).toEqual(inOrder)
  await forgetEverything(db)
  await take(`[${first},${second}]`)
  expect(await essence()).toEqual(inOrder)
  await reingest(db)
  expect(await essence()).toEqual(inOrder)
})

test('a document that came in pieces is one run', async () => {
  const bytes = new TextEncoder().encode(page(RUN, parentRows()))
  const piece = (from: number, to: number, more: boolean) =>
    ingestBody(db, { projectId, source: null, kind: 'noetl', bytes: bytes.subarray(from, to), more })
  expect((await piece(0, 700, true)).accepted).toBe(0)
  await piece(0, bytes.length, false)
  expect(await read(RUN)).toMatchObject({ outcome: 'failed', counts: { calls: 2 } })
  const odd = await db.sql`select reason from odd_input where project_id = ${projectId}`
  expect(odd).toEqual([])
})

test('a child finds its parent whichever comes first, and a cancelled one is shown cancelled', async () => {
  await take(
    page(CHILD, [row(CHILD, 'playbook.initialized', 'child'), row(CHILD, 'execution.cancelled', 'child')], {
      parent: RUN,
    }),
  )
  expect((await read(CHILD)).outcome).toBe('cancelled')
  const ok = { status: 'COMPLETED', context: { status: 'ok', framework: 'noetl', execution_id: CHILD } }
  await take(
    page(RUN, [
      row(RUN, 'playbook.initialized', 'tests'),
      row(RUN, 'command.issued', 'ask'),
      row(RUN, 'command.completed', 'ask', { result: ok }),
      row(RUN, 'playbook.completed', 'tests'),
    ]),
  )
  const [call] = (await listCalls(db, { projectIds: [projectId], id: await idOf(RUN) })).items
  expect(call).toMatchObject({ state: 'succeeded', childId: await idOf(CHILD) })
  expect((await read(CHILD)).parentId).toBe(await idOf(RUN))
})

test('the timeline has the rows in the order of their ids', async () => {
  await take(page(RUN, parentRows()))
  const { items } = await listEvents(db, { projectIds: [projectId], id: await idOf(RUN) })
  expect(items.map(({ type }) => type)).toEqual([
    'execution',
    'playbook.initialized',
    'command.issued',
    'call.done',
    'command.completed',
    'command.issued',
    'command.completed',
    'playbook.completed',
  ])
  expect(items.filter(({ failed }) => failed).map(({ ordinal }) => ordinal)).toEqual([3, 4])
})

test('the place of a cause opens the timeline at its row, and not at the document around it', async () => {
  const many = Array.from({ length: 40 }, () => row(RUN, 'step.enter', 'wait'))
  await take(page(RUN, [...many, ...parentRows()]))
  const { cause } = await read(RUN)
  const { items } = await listEvents(db, {
    projectIds: [projectId],
    id: await idOf(RUN),
    around: cause!.pointer,
  })
  expect(items[10]).toMatchObject({ type: 'call.done', ordinal: 43 })
})

test('what the kept bytes give is what is stored', async () => {
  await take(page(RUN, parentRows()))
  const { layers } = (await readStoredLayers(db, [projectId], await idOf(RUN)))!
  expect(compareLayers(layers)).toMatchObject({ verdict: 'equal', worst: null })
})

test('what was taken out of a document moves nothing when it is read again, and is counted once', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const leak = (run: string): string =>
    page(run, [
      row(run, 'playbook.initialized', 'x'),
      row(run, 'call.error', 'push', { error: `refused ${secret}` }),
      row(run, 'playbook.failed', 'x'),
    ])
  await take(`[${leak('71')},${leak('72')}]`)
  const rows = () =>
    db.sql`select stream_id, byte_offset, length, identity, kept_start, kept_end, facts from events where project_id = ${projectId} order by stream_id, byte_offset`
  expect((await read('71')).redactions).toBe(1)
  const before = await rows()
  expect(JSON.stringify(before)).not.toContain(secret)
  await reingest(db)
  expect(await rows()).toEqual(before)
  expect((await read('71')).redactions).toBe(1)
})

test('a status document alone names the step of the run, when it began and how long it runs', async () => {
  const status = (seconds: number): string =>
    `{"execution_id":"${RUN}","current_step":"load_rows","completed_steps":["start"],"failed":false,"completed":false,` +
    `"completion_inferred":false,"start_time":"2026-05-05T21:48:01.900000Z","end_time":null,"duration_seconds":${seconds}}`
  for (const bodies of [[status(5), status(7205.2)], [status(7205.2)]]) {
    for (const body of bodies) await take(body)
    expect(await read(RUN)).toMatchObject({
      outcome: 'unknown',
      outcomeParams: {
        progress: { step: 'load_rows', startedAt: '2026-05-05T21:48:01.900Z', durationS: 7205.2 },
      },
      outcomeBecause: expect.stringContaining(
        'its server reports step “load_rows”, started 2026-05-05 21:48:01 UTC, duration 2 h 00 min.',
      ),
    })
    await forgetEverything(db)
  }
})

test('a status document that says another end than the rows is told, whichever comes first', async () => {
  const status = `{"execution_id":"${RUN}","current_step":"ask","completed":false,"failed":true,"completion_inferred":false}`
  const rows = page(RUN, [row(RUN, 'playbook.initialized', 'tests'), row(RUN, 'playbook.completed', 'tests')])
  for (const bodies of [
    [status, rows],
    [rows, status],
  ]) {
    for (const body of bodies) await take(body)
    expect((await read(RUN)).disagreements).toEqual([
      {
        fact: 'status of the run',
        rule: 'run_status',
        params: {},
        used: 'succeeded (terminal_row)',
        values: [
          { channel: 'detail', door: 'detail', said: 'COMPLETED' },
          { channel: 'status', door: 'status', said: 'FAILED' },
          { channel: 'rows', door: 'rows', said: 'COMPLETED (terminal_row)' },
        ],
      },
    ])
    await forgetEverything(db)
  }
})
