import type { Receipt } from '../../formats/receipt/receipt'
import { eventOf } from '../../formats/receipt/receipt-event'
import { member } from '../../formats/receipt/receipt-facts'
import { receiptHash } from '../../formats/receipt/receipt-hash'
import type { RepeatRule } from '../../model/silence'
import type { ReceiptEvent } from '../../model/receipt-facts'
import type { ReceiptItem } from '../../model/receipt-chain'
import { droppedBefore } from '../../formats/receipt/dropped-events'

/** As much of an error or a target as a tile has room for. */
const LINE_CHARS_MAX = 160

/** What a strip shows of a receipt. Its text is left behind: a long chain would not fit beside its page. */
export interface ReceiptBrief
  extends Pick<
    ReceiptItem,
    'key' | 'id' | 'sequence' | 'executionId' | 'sessionId' | 'correlationId' | 'pointer'
  > {
  at: string | null
  /** Its tool, else what it says it did. */
  tool: string
  status: unknown
  event: ReceiptEvent | null
  /** The first line of its error, else its target. */
  line: string | null
  hash: string | null
  /** Events that were lost before it; null when it does not say. */
  dropped: number | null
  rotation: { from: string | null; to: string | null } | null
  /** Its place among the attempts of one piece of work. */
  repeat: { nth: number; of: number; rule: RepeatRule } | null
  /** A pending receipt: where its result is in the chain; −1 when it does not. */
  answeredAt: number | null
}

export function briefOf(item: Omit<ReceiptItem, 'text'>, receipt: Receipt): ReceiptBrief {
  const { key, id, sequence, executionId, sessionId, correlationId, pointer } = item
  const { action, outcome, keyRotation } = receipt.facts
  const line = outcome.error ?? action.target
  return {
    key,
    id,
    sequence,
    executionId,
    sessionId,
    correlationId,
    pointer,
    at: item.at,
    tool: action.toolName ?? action.type ?? 'no tool',
    status: outcome.status,
    event: eventOf(receipt.facts),
    line: line === null ? null : cutLine(line),
    hash: receiptHash(receipt),
    dropped: droppedBefore(receipt),
    repeat: null,
    answeredAt: null,
    rotation:
      keyRotation === null
        ? null
        : {
            from: fingerprint(keyRotation, 'old_key_fingerprint'),
            to: fingerprint(keyRotation, 'new_key_fingerprint'),
          },
  }
}

function cutLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]!
  return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line
}

function fingerprint(rotation: unknown, key: string): string | null {
  const value = member(rotation, key)
  return typeof value === 'string' ? value : null
}
