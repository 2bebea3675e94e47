import { canonicalJson, NotCanonical } from '../../text/canonical-json'
import type { PublicKey } from './keys'
import { member } from '../../formats/receipt/receipt-facts'
import { bytesOf } from '../../formats/receipt/receipt-hash'
import { checkWithWebCrypto, readSignature, type CheckEd25519 } from './signature'

/** A daemon's signed word, in a log of its own, on how far a chain had come. */
export interface Checkpoint {
  chainId: string
  sequence: number
  receiptHash: string
  timestamp: string
}

/**
 * Reads a checkpoint and checks its signature, which is over its first four members. Null when it is none, or not signed by that key: then it
 * witnesses nothing.
 *
 * @see docs/sources/receipts.md
 */
export async function verifyCheckpoint(
  value: unknown,
  key: PublicKey,
  check: CheckEd25519 = checkWithWebCrypto,
): Promise<Checkpoint | null> {
  const [chainId, sequence, receiptHash, timestamp] = [
    'chain_id',
    'sequence',
    'receipt_hash',
    'timestamp',
  ].map((name) => member(value, name))
  const signature = readSignature(member(value, 'signature'))
  if (
    signature === null ||
    typeof chainId !== 'string' ||
    typeof receiptHash !== 'string' ||
    typeof timestamp !== 'string'
  )
    return null
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) return null
  const form = formOf({ chain_id: chainId, sequence, receipt_hash: receiptHash, timestamp })
  return form !== null && (await check(key, signature, bytesOf(form)))
    ? { chainId, sequence, receiptHash, timestamp }
    : null
}

function formOf(signed: object): string | null {
  try {
    return canonicalJson(signed)
  } catch (error) {
    if (error instanceof NotCanonical) return null
    throw error
  }
}
