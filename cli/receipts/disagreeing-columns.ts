import { receiptHash } from '@/lib/formats/receipt/receipt-hash'
import { member } from '@/lib/formats/receipt/receipt-facts'
import type { Receipt } from '@/lib/formats/receipt/receipt'

/**
 * Columns of a row that say otherwise than its receipt. They are hints for queries: the receipt decides, and whoever reads only columns is misled.
 *
 * @see docs/sources/receipts.md
 */
export function disagreeingColumns(receipt: Receipt, columns: Record<string, unknown>): string[] {
  const { facts, value } = receipt
  if (value === null) return []
  const action = member(member(value, 'credentialSubject'), 'action')
  const expected: Record<string, unknown> = {
    id: member(value, 'id'),
    chain_id: facts.chain.chainId,
    sequence: facts.chain.sequence,
    action_type: facts.action.type,
    tool_name: facts.action.toolName,
    risk_level: member(action, 'risk_level'),
    status: facts.outcome.status,
    timestamp: facts.action.timestamp,
    issuer_id: facts.issuerId,
    principal_id: facts.principalId,
    receipt_hash: receiptHash(receipt),
    previous_receipt_hash: facts.chain.previousHash,
  }
  return Object.keys(expected).filter(
    (name) => Object.hasOwn(columns, name) && !isSame(columns[name], expected[name]),
  )
}

/** A column holds no more than texts and numbers; nothing and an empty text are the same to it. */
function isSame(column: unknown, expected: unknown): boolean {
  if (typeof column === 'bigint') return Number(column) === expected
  return (column ?? '') === (expected ?? '')
}
