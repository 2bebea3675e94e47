import type { Counts } from '../model/execution'

interface WithoutCause {
  outcome: string
  counts: Pick<Counts, 'records' | 'failedCalls'>
  /** How many receipts tell of it; lists do not say. */
  receipts?: number
  /** Own runs of agents that it called. */
  agentRuns?: readonly { callState: string }[]
}

/** What is said in the place of a cause where there is none. It never says more than that nothing tells of a failure where the end is not known. */
export function noCauseWords({ outcome, counts, receipts = 0, agentRuns = [] }: WithoutCause): string {
  if (outcome === 'running') return 'Running. No failures so far.'
  if (outcome === 'cancelled') return 'Cancelled. Nothing failed before that.'
  if (agentRuns.some(({ callState }) => callState === 'succeeded'))
    return 'No failure in this run, but an agent it called failed.'
  const ended = outcome !== 'unknown'
  if (counts.failedCalls > 0)
    return ended
      ? 'No failure ended this execution.'
      : 'Calls failed, but it is unclear if any of them ended this execution.'
  if (receipts > 0 && (receipts === counts.records || !ended)) return 'No failure in the receipts.'
  return ended
    ? 'Nothing failed in this execution.'
    : 'No failure recorded. It is unknown how this execution ended.'
}
