import { eventOf } from '@/lib/formats/receipt/receipt-event'
import { member } from '@/lib/formats/receipt/receipt-facts'
import type { Receipt } from '@/lib/formats/receipt/receipt'

export interface ChainCounts {
  receipts: number
  failures: number
  /** Calls of which only the beginning is on record. */
  unanswered: number
  /** Events that were lost before they could become receipts, as far as receipts say so. */
  eventsDropped: number
}

/** Calls that were answered in any chain of the input, since those of one session go over several. */
export type Answered = Set<string>

/** Counts what one chain tells, receipt by receipt. */
export interface CallTally {
  add(receipt: Receipt): void
  /** When all receipts of the input were seen. */
  counts(): ChainCounts
}

/** @see docs/sources/receipts.md */
export function tallyCalls(answered: Answered): CallTally {
  const pending = new Set<string>()
  const counts = { receipts: 0, failures: 0, eventsDropped: 0 }
  let nameless = 0
  return {
    add({ facts, value }) {
      counts.receipts++
      if (facts.outcome.status === 'failure') counts.failures++
      if (eventOf(facts) === 'events_dropped') counts.eventsDropped += dropCount(value)
      if (eventOf(facts) !== null) return
      const call =
        facts.correlationId === null ? null : JSON.stringify([facts.sessionId, facts.correlationId])
      if (facts.outcome.status === 'pending') {
        if (call === null) nameless++
        else pending.add(call)
      } else if (call !== null) answered.add(call)
    },
    counts: () => ({
      ...counts,
      unanswered: nameless + [...pending].filter((call) => !answered.has(call)).length,
    }),
  }
}

function dropCount(value: unknown): number {
  const action = member(member(value, 'credentialSubject'), 'action')
  const count = member(member(action, 'emitter_metadata'), 'drop_count')
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0
}
