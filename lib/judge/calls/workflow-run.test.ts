import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withAskedAt } from '../../formats/noetl/connection-documents'
import { summaryOf } from '../../formats/noetl/runs.support'

const sample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../shared/samples/noetl', `${name}.json`), 'utf8')

const RUN = '620356925057663015'
const CHILD = '620356931248455716'
const parent = (name: string) => summaryOf(RUN, sample(`constructed/${name}`))

interface Row {
  event_id: number
  event_type: string
  node_name?: string
  status?: string
  created_at?: string
  result?: unknown
  error?: string
  context?: unknown
}
const row = (event_id: number, event_type: string, node_name = 'work', more: Partial<Row> = {}): Row => ({
  event_id,
  event_type,
  node_name,
  status: 'RUNNING',
  created_at: `2026-05-05T00:00:${String(event_id % 60).padStart(2, '0')}`,
  ...more,
})
const envelope = (status: string, more: Record<string, unknown> = {}) => ({
  result: {
    status: 'COMPLETED',
    context: {
      status,
      framework: 'noetl',
      execution_id: '88',
      ...(status === 'error'
        ? { error: { kind: 'agent.execution', code: 'PLAYBOOK_FAILED', message: 'no' } }
        : {}),
      ...more,
    },
  },
})
const start = row(1, 'playbook.initialized', 'a/b')
const end = row(59, 'playbook.completed', 'a/b')
/** A page of the Python server: newest row first. */
const page = (
  rows: Row[],
  pagination: { page: number; total: number; next: boolean } = { page: 1, total: rows.length, next: false },
) =>
  JSON.stringify({
    execution_id: '7',
    path: 'a/b',
    status: 'COMPLETED',
    start_time: '2026-05-05T00:00:00',
    events: rows.toReversed(),
    pagination: { page: pagination.page, total_events: pagination.total, has_next: pagination.next },
  })
const rust = (rows: Row[]) =>
  JSON.stringify({
    execution_id: 7,
    path: 'a/b',
    status: 'COMPLETED',
    started_at: '2026-05-05T00:00:00',
    events: rows,
  })
const run = (...rows: Row[]) => summaryOf('7', page(rows))

test('a run that reads COMPLETED everywhere has failed when an agent inside did', async () => {
  const { outcome, outcomeRule, outcomeBecause, failedAt, cause, advice, counts } = await parent(
    'parent-green-diagnosis-attached',
  )
  expect({ outcome, outcomeRule, failedAt }).toEqual({
    outcome: 'failed',
    outcomeRule: 'agent_failed_inside',
    failedAt: 'agent',
  })
  expect(outcomeBecause).toContain(
    'The engine reports the run as COMPLETED (playbook.completed (event 620357390518353011), rule terminal_row)',
  )
  expect(cause).toMatchObject({
    category: 'agent_failure',
    text: `The agent of step “trigger_failure” failed (PLAYBOOK_FAILED) in a COMPLETED run; see its own run ${CHILD}: “sub-playbook returned non-success status”`,
  })
  expect(advice).toMatchObject({
    runRetry: 'unclear',
    because: { id: 'agent_failed' },
    next: { id: 'open_agent_run', params: { run: CHILD } },
  })
  expect(counts).toMatchObject({ calls: 2, failedCalls: 1, failedByClass: { agent_failure: 1 } })
})

test('both dialects give the same', async () => {
  const essence = ({ cause, labels: _labels, ...rest }: Awaited<ReturnType<typeof parent>>) => ({
    ...rest,
    cause: cause?.text,
    calls: rest.calls.map(({ callPointer: _call, resultPointer: _result, ...call }) => call),
  })
  expect(essence(await parent('rust-server-detail'))).toEqual(
    essence(await parent('parent-green-diagnosis-attached')),
  )
})

test('the call of an agent leads to its child run', async () => {
  expect(
    (await parent('parent-green-diagnosis-attached')).calls.map(({ tool, state, failureClass, childKey }) => [
      tool,
      state,
      failureClass,
      childKey,
    ]),
  ).toEqual([
    ['trigger_failure', 'failed', 'agent_failure', CHILD],
    ['extract_envelope', 'succeeded', null, null],
  ])
})

test('an agent that failed is no tool error, also where the engine made one of it', async () => {
  const { failedAt, counts, cause } = await parent('parent-red-agent-failure-as-tool-error')
  expect(failedAt).toBe('agent')
  expect(counts.failedByClass).toEqual({ agent_failure: 1 })
  expect(cause!.text).toContain('failed (PLAYBOOK_FAILED) and so did the run; see its own run')
})

test('a run that a tool error ended names what failed first', async () => {
  const {
    outcome,
    outcomeRule,
    failedAt,
    cause,
    parent: of,
  } = await summaryOf(CHILD, sample('constructed/child-failed'))
  expect({ outcome, outcomeRule, failedAt, of }).toEqual({
    outcome: 'failed',
    outcomeRule: 'terminal_row',
    failedAt: 'tool',
    of: { key: RUN, callId: null },
  })
  expect(cause).toMatchObject({
    category: 'tool_failure',
    message: { id: 'step_failed', params: { call: { tool: 'hit_non_routable' } } },
    text: 'hit_non_routable failed: “Request error: [Errno -2] Name or service not known”',
  })
})

test('how an agent ended is not known where what it returned was dropped', async () => {
  const { outcome, outcomeRule, cause } = await parent('parent-context-dropped-over-size-limit')
  expect({ outcome, outcomeRule }).toEqual({ outcome: 'unknown', outcomeRule: 'agent_result_missing' })
  expect(cause!.category).toBe('result_unreadable')
})

test.each<[string, Row[], string, string]>([
  [
    'all went well',
    [start, row(2, 'command.issued'), row(3, 'call.done'), row(4, 'command.completed'), end],
    'succeeded',
    'terminal_row',
  ],
  [
    'a cancelled child whose envelope says ok',
    [start, row(2, 'execution.cancelled', 'a/b'), end],
    'cancelled',
    'cancelled_row',
  ],
  [
    'a step that failed and was made good',
    [
      start,
      row(2, 'command.issued'),
      row(3, 'command.failed'),
      row(4, 'command.issued'),
      row(5, 'command.completed'),
      end,
    ],
    'succeeded',
    'terminal_row',
  ],
  [
    'an agent that failed and was tried again with success',
    [
      start,
      row(2, 'command.issued'),
      row(3, 'command.completed', 'work', envelope('error')),
      row(4, 'command.issued'),
      row(5, 'command.completed', 'work', envelope('ok')),
      end,
    ],
    'succeeded',
    'terminal_row',
  ],
  [
    'an agent that failed for one item of a loop',
    [
      start,
      row(2, 'command.issued'),
      row(3, 'command.completed', 'work', envelope('error')),
      row(4, 'loop.item'),
      row(5, 'command.issued'),
      row(6, 'command.completed', 'work', envelope('ok')),
      end,
    ],
    'failed',
    'agent_failed_inside',
  ],
  [
    'the end step without a row that ends the run',
    [start, row(2, 'command.issued', 'end'), row(3, 'command.completed', 'end', { status: 'COMPLETED' })],
    'succeeded',
    'end_step_completed',
  ],
  [
    'a batch without open commands',
    [start, row(2, 'batch.completed', 'events.batch', { status: 'COMPLETED' })],
    'succeeded',
    'batch_completed',
  ],
  [
    'a batch with an open command',
    [start, row(2, 'command.issued'), row(3, 'batch.completed', 'events.batch', { status: 'COMPLETED' })],
    'running',
    'nothing_terminal',
  ],
  [
    'an agent that failed in a run that goes on',
    [start, row(2, 'command.issued'), row(3, 'command.completed', 'work', envelope('error'))],
    'running',
    'nothing_terminal',
  ],
  [
    'an agent that was only started',
    [start, row(2, 'command.issued'), row(3, 'command.completed', 'work', envelope('started')), end],
    'unknown',
    'agent_result_missing',
  ],
])('%s', async (_name, rows, outcome, rule) => {
  for (const body of [page(rows), rust(rows)])
    expect(await summaryOf('7', body)).toMatchObject({ outcome, outcomeRule: rule })
})

test('pages are joined, whatever their order; a run with rows missing is never judged whole', async () => {
  const rows = [start, row(2, 'command.issued'), row(3, 'call.done'), row(4, 'command.completed'), end]
  const [newest, oldest] = [
    page(rows.slice(2), { page: 1, total: 5, next: true }),
    page(rows.slice(0, 3), { page: 2, total: 5, next: false }),
  ]
  const whole = await summaryOf('7', newest, oldest)
  expect(whole).toMatchObject({ outcome: 'succeeded', counts: { calls: 1 }, calls: [{ callId: '2' }] })
  expect(whole.labels['rows']).toBeUndefined()
  expect((await summaryOf('7', oldest, newest)).calls.map(({ callId, state }) => [callId, state])).toEqual([
    ['2', 'succeeded'],
  ])
  expect(await summaryOf('7', newest)).toMatchObject({
    outcome: 'unknown',
    outcomeRule: 'run_incomplete',
    labels: { rows: 'incomplete: 3 of 5' },
    outcomeBecause:
      '3 of 5 events of the run received; its server reports COMPLETED. The missing events may change the outcome.',
  })
  const filtered = await summaryOf('7', page(rows.slice(1)))
  expect(filtered).toMatchObject({ outcome: 'unknown', outcomeRule: 'run_incomplete' })
})

test('an agent that failed is found also where rows are missing', async () => {
  const rows = [row(3, 'command.completed', 'work', envelope('error')), end]
  expect(await summaryOf('7', page(rows, { page: 1, total: 9, next: true }))).toMatchObject({
    outcome: 'failed',
    outcomeRule: 'agent_failed_inside',
    labels: { rows: 'incomplete: 2 of 9' },
  })
})

test('commands of one step that are open at once are answered oldest first', async () => {
  const { calls } = await run(
    start,
    row(2, 'command.issued'),
    row(3, 'command.issued'),
    row(4, 'loop.item'),
    row(5, 'call.done'),
    row(6, 'command.completed'),
    row(7, 'call.error', 'work', { error: 'ValueError: no' }),
    row(8, 'command.failed', 'work', { error: 'ValueError: no' }),
    end,
  )
  expect(calls.map(({ callId, state, target }) => [callId, state, target])).toEqual([
    ['2', 'succeeded', 'item 1'],
    ['3', 'failed', 'item 2'],
  ])
})

test('an agent that was never started is not helped by another attempt', async () => {
  const error = { kind: 'agent.configuration', code: 'INVALID_ENTRYPOINT', message: 'no such entry point' }
  const { advice } = await run(
    start,
    row(2, 'command.issued'),
    row(3, 'command.completed', 'work', { result: { context: { status: 'error', error } } }),
    end,
  )
  expect(advice).toMatchObject({
    runRetry: 'wont_help',
    because: { id: 'agent_not_started' },
    next: { id: 'configure_agent', params: { message: 'no such entry point' } },
  })
})

const statusDocument = (completed: boolean, failed: boolean) =>
  JSON.stringify({ execution_id: '7', completed, failed, completion_inferred: false })
const listEntry = (status: string) =>
  JSON.stringify({ execution_id: '7', path: 'a/b', status, start_time: '2026-05-05T00:00:00' })

test('where list, document, status endpoint and rows name different ends, each is told with what it says, and what counts by which rule', async () => {
  const rows = page([start, row(2, 'execution.cancelled', 'a/b'), end])
  expect(
    (await summaryOf('7', rows, listEntry('FAILED'), statusDocument(true, false))).disagreements,
  ).toEqual([
    {
      fact: 'status of the run',
      rule: 'run_status',
      params: {},
      values: [
        { channel: 'list', said: 'FAILED' },
        { channel: 'detail', said: 'COMPLETED' },
        { channel: 'status', said: 'COMPLETED' },
        { channel: 'rows', said: 'CANCELLED (cancelled_row)' },
      ],
      used: 'cancelled (cancelled_row)',
    },
  ])
})

test('the table of runs, which lags, is told by its own name', async () => {
  const mark = JSON.stringify({
    execution_id: '7',
    event_log: { rows: 2, oldest: 1, newest: 59 },
    execution: { status: 'FAILED' },
  })
  expect((await summaryOf('7', page([start, end]), mark)).disagreements[0]!.values[1]).toEqual({
    channel: 'table',
    said: 'FAILED',
  })
})

test.each([
  [
    'another end',
    listEntry('CANCELLED'),
    ['list CANCELLED', 'detail COMPLETED', 'rows COMPLETED (terminal_row)'],
  ],
  ['none any more', statusDocument(false, false), []],
])(
  'of documents that say when they were asked for the last one counts, whichever came first, also when it names %s',
  async (_, later, said) => {
    const earlier = later.includes('failed') ? statusDocument(false, true) : listEntry('FAILED')
    const bodies = [
      withAskedAt(earlier, '2026-05-05T00:10:00.000Z'),
      withAskedAt(later, '2026-05-05T00:11:00.000Z'),
      page([start, end]),
    ]
    for (const order of [bodies, bodies.toReversed()])
      expect(
        (await summaryOf('7', ...order)).disagreements.flatMap(({ values }) =>
          values.map(({ channel, said: word }) => `${channel} ${word}`),
        ),
      ).toEqual(said)
  },
)

test.each([
  ['they agree', [page([start, end]), listEntry('completed'), statusDocument(true, false)]],
  ['one says that it still works', [page([start, end]), listEntry('RUNNING'), statusDocument(false, false)]],
  [
    'an inner agent failed, which no document can say',
    [
      page([
        start,
        row(2, 'command.issued'),
        row(3, 'call.done', 'work', envelope('error')),
        row(4, 'command.completed', 'work', envelope('error')),
        end,
      ]),
    ],
  ],
])('nothing disagrees where %s', async (_, bodies) => {
  expect((await summaryOf('7', ...bodies)).disagreements).toEqual([])
})

test('the cause of a cancelled run says that it was cancelled', async () => {
  const failed = [row(2, 'command.issued'), row(3, 'call.error', 'work', { error: 'broke' })]
  const { cause } = await run(start, ...failed, row(4, 'execution.cancelled', 'a/b'))
  expect(cause!.message).toMatchObject({ id: 'calls_failed', params: { outcome: 'cancelled' } })
  expect(cause!.text).toMatch(/\nThe run was cancelled; 1 of 1 call failed/)
})
