import { expect, test } from 'vitest'
import { recordsOf, summaryOf } from '../../formats/noetl/runs.support'
import type { ExecutionSummary } from '../../model/summary'

const RUN = '620356925057663015'
interface Row extends Record<string, unknown> {
  event_id: number
  event_type: string
}
const row = (
  event_id: number,
  event_type: string,
  node_name = 'work',
  more: Record<string, unknown> = {},
): Row => ({
  event_id,
  event_type,
  node_name,
  created_at: `2026-05-05T00:00:${String(event_id).padStart(2, '0')}`,
  ...more,
})
const start = row(1, 'playbook.initialized', 'a/b')
const end = row(59, 'playbook.completed', 'a/b')
/** As the tables hold rows: with the run and, beside other columns, the command. */
const lines = (...rows: object[]): string =>
  rows.map((one) => JSON.stringify({ execution_id: RUN, ...one })).join('\n')
const mark = (rows: number) => ({
  event_log: { rows, oldest: 1, newest: 59 },
  execution: { execution_id: RUN, status: 'COMPLETED' },
})
const page = (...rows: Row[]): string =>
  JSON.stringify({
    execution_id: RUN,
    path: 'a/b',
    status: 'COMPLETED',
    start_time: 'x',
    events: rows.toReversed(),
    pagination: { page: 1, total_events: rows.length },
  })
const run = (...rows: Row[]) => summaryOf(RUN, lines(...rows, mark(rows.length)))
const attempts = ({ calls }: ExecutionSummary) =>
  calls.map(({ callId, state, target, numberInChain, linkRule, linkParams, linkBasis }) => [
    callId,
    state,
    target,
    numberInChain,
    linkRule === 'counted' ? linkParams : linkRule,
    linkBasis,
  ])

const issued = (id: number, command: number, attempt?: number, max = 3) =>
  row(id, 'command.issued', 'work', {
    command_id: command,
    ...(attempt !== undefined && { meta: { attempt, max_attempts: max } }),
  })
const ended = (id: number, command: number, word = 'completed') =>
  row(id, `command.${word}`, 'work', { command_id: command, ...(word === 'failed' && { error: 'HTTP 503' }) })

test('a further attempt is one that the source counts, and says which of how many', async () => {
  const summary = await run(
    start,
    issued(2, 70, 1),
    ended(3, 70, 'failed'),
    issued(4, 71, 2),
    ended(5, 71),
    end,
  )
  expect(attempts(summary)).toEqual([
    ['2', 'failed', null, 1, null, null],
    ['4', 'succeeded', null, 2, { attempt: 2, max: 3 }, 'recorded'],
  ])
  expect(summary).toMatchObject({ outcome: 'succeeded', counts: { calls: 2, chains: 1, recoveredChains: 1 } })
})

test('without the word of the source the same is inferred', async () => {
  const summary = await run(start, issued(2, 70), ended(3, 70, 'failed'), issued(4, 71), ended(5, 71), end)
  expect(attempts(summary)[1]).toEqual(['4', 'succeeded', null, 2, 'same_tool_same_target', 'inferred'])
})

test('first attempts are pieces of work of their own, in a loop and outside of one: an item is no retry of another', async () => {
  const both = [issued(2, 70, 1), ended(3, 70, 'failed'), issued(4, 71, 1), ended(5, 71)]
  const looped = await run(start, ...both, row(6, 'loop.done'), end)
  expect(attempts(looped)).toEqual([
    ['2', 'failed', 'item 1', 1, null, null],
    ['4', 'succeeded', 'item 2', null, null, null],
  ])
  expect(looped.counts).toMatchObject({ chains: 1, recoveredChains: 0 })
  expect((await run(start, ...both, end)).calls.map(({ target }) => target)).toEqual(['pass 1', 'pass 2'])
})

test('an item of a loop that is tried again goes on with its own work; where two wait for it, which one is inferred', async () => {
  const one = await run(
    start,
    issued(2, 70, 1),
    issued(3, 71, 1),
    ended(4, 70, 'failed'),
    ended(5, 71, 'failed'),
    issued(6, 72, 2),
    ended(7, 72),
    row(8, 'loop.done'),
    end,
  )
  expect(attempts(one).map(([, , target, attempt, , basis]) => [target, attempt, basis])).toEqual([
    ['item 1', 1, null],
    ['item 2', 1, null],
    ['item 1', 2, 'inferred'],
  ])
  const sure = await run(
    start,
    issued(2, 70, 1),
    issued(3, 72, 1),
    ended(4, 72),
    ended(5, 70, 'failed'),
    issued(6, 71, 2),
    ended(7, 71),
    row(8, 'loop.done'),
    end,
  )
  expect(attempts(sure).map(([, , target, attempt, , basis]) => [target, attempt, basis])).toEqual([
    ['item 1', 1, null],
    ['item 2', null, null],
    ['item 1', 2, 'recorded'],
  ])
})

test('rows belong to the command that they name, not to the oldest that is open', async () => {
  const { calls } = await run(
    start,
    issued(2, 70, 1),
    issued(3, 71, 1),
    row(4, 'loop.item'),
    ended(5, 71),
    ended(6, 70, 'failed'),
    end,
  )
  expect(calls.map(({ callId, state }) => [callId, state])).toEqual([
    ['2', 'failed'],
    ['3', 'succeeded'],
  ])
})

test('a command that is issued again under its id is another attempt', async () => {
  const summary = await run(
    start,
    issued(2, 70, 1),
    ended(3, 70, 'failed'),
    issued(4, 70, 2),
    ended(5, 70),
    end,
  )
  expect(attempts(summary).map(([id, state, , attempt]) => [id, state, attempt])).toEqual([
    ['2', 'failed', 1],
    ['4', 'succeeded', 2],
  ])
})

test('the table of commands tells the attempts where rows do not, its newest state counts, and unknown columns stay in its bytes', async () => {
  const command = (id: number, event: number, attempt: number, status: string, at: string) => ({
    command_id: id,
    event_id: event,
    node_name: 'work',
    attempt,
    max_attempts: 2,
    status,
    updated_at: at,
    created_at: at,
    novel: { kept: true },
  })
  const rows = [start, issued(2, 70), ended(3, 70, 'failed'), issued(4, 71), ended(5, 71), end]
  const body = lines(
    ...rows,
    mark(6),
    command(70, 2, 1, 'FAILED', '2026-05-05T00:00:03'),
    command(71, 4, 1, 'PENDING', '2026-05-05T00:00:04'),
    command(71, 4, 2, 'COMPLETED', '2026-05-05T00:00:05'),
  )
  const read = await summaryOf(RUN, body)
  expect(attempts(read)[1]).toEqual(['4', 'succeeded', null, 2, { attempt: 2, max: 2 }, 'recorded'])
  const records = await recordsOf(body)
  expect(
    records.slice(6).map(({ type, kind, executionKey, oddReason }) => [type, kind, executionKey, oddReason]),
  ).toEqual([['event_log', 'meta', RUN, undefined], ...Array(3).fill(['command', 'meta', RUN, undefined])])
  expect(records.at(-1)!.summary).toEqual({
    id: 'command',
    params: { step: 'work', attempt: { number: 2, max: 2 }, status: 'COMPLETED', error: null },
  })
})

test('rows of the tables and of the API are one run, whichever comes first', async () => {
  const rows = [
    start,
    issued(2, 70, 1),
    issued(3, 71, 1),
    ended(4, 71),
    ended(5, 70, 'failed'),
    issued(6, 72, 2),
    ended(7, 72),
    end,
  ]
  const api = page(...rows.map(({ command_id: _command, meta: _meta, ...plain }) => plain as Row))
  const tables = lines(...rows, mark(rows.length))
  const alone = await summaryOf(RUN, tables)
  const essence = ({
    counts,
    calls,
    outcome,
    outcomeRule,
    labels,
    startedAt,
    endedAt,
  }: ExecutionSummary) => ({
    calls: counts.calls,
    failed: counts.failedCalls,
    outcome,
    outcomeRule,
    labels,
    startedAt,
    endedAt,
    attempts: attempts({ calls } as ExecutionSummary),
  })
  const [first, second] = [await summaryOf(RUN, api, tables), await summaryOf(RUN, tables, api)]
  expect(essence(first)).toEqual(essence(second))
  expect({ ...essence(first), outcome: null }).toEqual({ ...essence(alone), outcome: null })
  const plain = await summaryOf(RUN, api)
  expect([first.counts.calls, first.outcome]).toEqual([plain.counts.calls, plain.outcome])
  // The document of the API, and the mark of the tables.
  expect(first.counts.records).toBe(rows.length + 2)
})

test('a row that stands twice in one list counts once', async () => {
  const rows = [start, issued(2, 70, 1), ended(3, 70), end]
  expect((await summaryOf(RUN, lines(...rows, rows[1]!, ...rows, mark(4)))).counts.records).toBe(5)
  expect((await summaryOf(RUN, `[${page(...rows)},${page(...rows.slice(1))}]`)).counts.records).toBe(6)
})

test('all rows are here when there are as many as the log held', async () => {
  const rows = [start, issued(2, 70, 1), ended(3, 70), end]
  expect((await summaryOf(RUN, lines(...rows, mark(4)))).outcome).toBe('succeeded')
  expect(await summaryOf(RUN, lines(...rows, mark(5)))).toMatchObject({
    outcome: 'unknown',
    outcomeRule: 'run_incomplete',
    labels: { rows: 'incomplete: 4 of 5' },
  })
  expect((await summaryOf(RUN, lines(...rows))).outcome).toBe('unknown')
})

test('a reference is named, and not followed', async () => {
  const result = {
    status: 'COMPLETED',
    reference: { kind: 'temp_ref', ref: 'noetl://execution/1/result/ask', store: 'kv' },
  }
  const { outcomeRule, outcomeBecause } = await run(
    start,
    row(2, 'command.issued', 'ask', { context: { tool_kind: 'agent' } }),
    row(3, 'command.completed', 'ask', { status: 'COMPLETED', result }),
    end,
  )
  expect(outcomeRule).toBe('agent_result_missing')
  expect(outcomeBecause).toContain('stored elsewhere (noetl://execution/1/result/ask) and was not fetched')
  const [record] = await recordsOf(lines(row(3, 'command.completed', 'ask', { status: 'COMPLETED', result })))
  expect(record!.summary).toMatchObject({
    params: { name: 'command.completed ask', event: { storedAt: 'noetl://execution/1/result/ask' } },
  })
})
