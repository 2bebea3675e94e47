import type { JsonObject } from '../../formats/receipt/receipt'
import { readReceipt } from '../../formats/receipt/read-receipt'
import { member } from '../../formats/receipt/receipt-facts'
import { receiptHash } from '../../formats/receipt/receipt-hash'

/** What the collector's protocol asks of a receipt before it takes it (receipts §6.3). */
const NEEDED = [
  ['id'],
  ['credentialSubject', 'chain', 'chain_id'],
  ['credentialSubject', 'action', 'type'],
  ['proof', 'proofValue'],
] as const

/** @returns why the body is refused, in a sentence; else the id of the receipt and its hash, null where it has no canonical form */
export function checkPushed(bytes: Uint8Array): { fault: string } | { id: string; hash: string | null } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { fault: 'the body is not UTF-8' }
  }
  if (text.trim() === '') return { fault: 'the body is empty' }
  const receipt = readReceipt(text)
  if (receipt.malformed === 'not_json') return { fault: 'the body is not one JSON value' }
  if (receipt.malformed === 'not_an_object') return { fault: 'the body is not a receipt' }
  if (receipt.value === null) return { fault: 'the receipt is nested too deep' }
  for (const path of NEEDED) {
    const value = path.reduce<unknown>((object, key) => member(object as JsonObject, key), receipt.value)
    if (typeof value !== 'string' || value === '') return { fault: `the receipt lacks ${path.join('.')}` }
  }
  return { id: receipt.facts.id!, hash: receiptHash(receipt) }
}
