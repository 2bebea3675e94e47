import { groupRepeats } from './repeat-groups'
import { pairReceipts } from './pair-receipts'
import type { ReceiptFacts } from '../../formats/receipt/receipt'
import type { ReceiptBrief } from './receipt-brief'

/** What calls are made from; the rest of the facts is dropped. */
export type CallFacts = Pick<ReceiptFacts, 'agentId' | 'correlationId' | 'action' | 'keyRotation'> & {
  outcome: Pick<ReceiptFacts['outcome'], 'status'>
}

/** Without texts that may be long. */
export const callFacts = ({
  agentId,
  correlationId,
  action,
  keyRotation,
  outcome,
}: ReceiptFacts): CallFacts => ({
  agentId,
  correlationId,
  action,
  keyRotation: keyRotation === null ? null : true,
  outcome: { status: outcome.status },
})

/**
 * Writes into the receipts of a chain which of them are attempts of one piece of work, and where the results of pending ones stand. Correlation ids
 * mean nothing beyond their session.
 *
 * @see docs/sources/receipts.md
 */
export function joinBriefs(briefs: readonly ReceiptBrief[], facts: readonly CallFacts[]): void {
  const sessions = new Map<string | null, Part[]>()
  for (const [index, { sessionId }] of briefs.entries()) {
    const parts = sessions.get(sessionId)
    const part = {
      ...facts[index]!,
      outcome: { ...facts[index]!.outcome, error: null, responseHash: null },
      index,
    }
    if (parts === undefined) sessions.set(sessionId, [part])
    else parts.push(part)
  }
  for (const parts of sessions.values()) {
    const calls = pairReceipts(parts)
    for (const { pending, finals } of calls)
      for (const { index } of pending) briefs[index]!.answeredAt = finals[0]?.index ?? -1
    for (const { rule, calls: repeats } of groupRepeats(calls))
      for (const [at, { finals, pending }] of repeats.entries())
        for (const { index } of [...finals, ...pending])
          briefs[index]!.repeat = { nth: at + 1, of: repeats.length, rule }
  }
}

type Part = Omit<CallFacts, 'outcome'> & Pick<ReceiptFacts, 'outcome'> & { index: number }
