import type { Counts } from '@/lib/executions/types'

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
  if (outcome === 'running') return 'This execution is running; nothing in it has failed so far.'
  if (outcome === 'cancelled') return 'This execution was cancelled; nothing that ended before that failed.'
  if (agentRuns.some(({ callState }) => callState === 'succeeded'))
    return 'The rows of this run tell of no failure; the own run of an agent that it called does.'
  const ended = outcome !== 'unknown'
  if (counts.failedCalls > 0)
    return ended
      ? 'Nothing broke that ended this execution.'
      : 'Calls failed; nothing tells that one of them ended this execution.'
  if (receipts > 0 && (receipts === counts.records || !ended)) return 'No receipt tells of a failure.'
  return ended
    ? 'Nothing failed in this execution.'
    : 'Nothing tells of a failure, and nothing tells how this execution ended.'
}
