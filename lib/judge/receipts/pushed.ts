import type { JsonObject } from '../../formats/receipt/receipt'
import { readReceipt } from '../../formats/receipt/read-receipt'
import { member } from '../../formats/receipt/receipt-facts'
import type { PushFault } from '../../model/messages/receipts'
import { receiptHash } from '../../formats/receipt/receipt-hash'

/** What the collector's protocol asks of a receipt before it takes it (receipts §6.3). */
const NEEDED = [
  ['id'],
  ['credentialSubject', 'chain', 'chain_id'],
  ['credentialSubject', 'action', 'type'],
  ['proof', 'proofValue'],
] as const

const fault = (id: Exclude<PushFault['id'], 'member_missing'>): { fault: PushFault } => ({
  fault: { id, params: {} },
})

/** @returns why the body is refused; else the id of the receipt and its hash, null where it has no canonical form */
export function checkPushed(bytes: Uint8Array): { fault: PushFault } | { id: string; hash: string | null } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return fault('not_utf8')
  }
  if (text.trim() === '') return fault('empty')
  const receipt = readReceipt(text)
  if (receipt.malformed === 'not_json') return fault('not_json')
  if (receipt.malformed === 'not_an_object') return fault('not_a_receipt')
  if (receipt.value === null) return fault('too_deep')
  for (const path of NEEDED) {
    const value = path.reduce<unknown>((object, key) => member(object as JsonObject, key), receipt.value)
    if (typeof value !== 'string' || value === '')
      return { fault: { id: 'member_missing', params: { path: path.join('.') } } }
  }
  return { id: receipt.facts.id!, hash: receiptHash(receipt) }
}
