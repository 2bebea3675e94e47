import type { ReceiptFacts } from '../../formats/receipt/receipt'
import { eventOf } from '../../formats/receipt/receipt-event'

/** One tool call as its receipts tell it. */
export interface ReceiptCall<R> {
  correlationId: string | null
  /** Written before the call. */
  pending: R[]
  /** Written with its result: by the hook, and by a proxy that it went through. */
  finals: R[]
  /** `pending`: no result came. One result that failed makes the call a failure: a hook takes an MCP error for a success. */
  status: 'success' | 'failure' | 'pending' | 'unknown'
}

/**
 * Joins the receipts of one call by their correlation id. A result answers its pending receipt wherever it is: chains of one session are told
 * apart by seconds only, so that their order proves nothing. What nobody called for (drops, rotations, ends) is left out.
 *
 * @param receipts of one session, over all of its chains: the id means nothing beyond
 * @returns calls in the order of their first receipts
 * @see docs/sources/receipts.md
 */
export function pairReceipts<
  R extends Pick<ReceiptFacts, 'correlationId' | 'outcome' | 'action' | 'keyRotation'>,
>(receipts: Iterable<R>): ReceiptCall<R>[] {
  const calls: ReceiptCall<R>[] = []
  const byId = new Map<string, ReceiptCall<R>>()
  for (const receipt of receipts) {
    if (eventOf(receipt) !== null) continue
    const { correlationId, outcome } = receipt
    let call = correlationId === null ? undefined : byId.get(correlationId)
    if (call === undefined) {
      calls.push((call = { correlationId, pending: [], finals: [], status: 'pending' }))
      if (correlationId !== null) byId.set(correlationId, call)
    }
    if (outcome.status === 'pending') call.pending.push(receipt)
    else call.finals.push(receipt)
  }
  for (const call of calls) call.status = statusOf(call.finals.map(({ outcome }) => outcome.status))
  return calls
}

function statusOf(results: readonly unknown[]): ReceiptCall<unknown>['status'] {
  if (results.length === 0) return 'pending'
  if (results.includes('failure')) return 'failure'
  return results.includes('success') ? 'success' : 'unknown'
}
