import type { Call, Chain } from '../model/summary'
import type { Counts } from '../model/execution'

/**
 * Counts of one execution, without its children: a call is a distinct tool call id, failed when its result says so; refusals and cancelled
 * siblings count like the others (docs/sources/attempts.md#retry-chains).
 */
export function countCalls(records: number, calls: readonly Call[], chains: readonly Chain[]): Counts {
  const failedByClass: Record<string, number> = {}
  for (const { state, failureClass } of calls)
    if (state === 'failed')
      failedByClass[failureClass ?? 'other'] = (failedByClass[failureClass ?? 'other'] ?? 0) + 1
  return {
    records,
    calls: calls.length,
    failedCalls: calls.filter((a) => a.state === 'failed').length,
    // Sorted keys: the same facts give the same document, whatever order they came in.
    failedByClass: Object.fromEntries(Object.entries(failedByClass).sort(([a], [b]) => (a < b ? -1 : 1))),
    callsWithoutResult: calls.filter((a) => a.state === 'no_result').length,
    chains: chains.length,
    recoveredChains: chains.filter((c) => c.recovered).length,
  }
}
