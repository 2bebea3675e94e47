import { readBase64Url, type PublicKey } from './keys'
import type { Receipt } from '../../formats/receipt/receipt'
import { member } from '../../formats/receipt/receipt-facts'
import { bytesOf } from '../../formats/receipt/receipt-hash'

/** Whether a signature is the key's over the bytes. Where there is no WebCrypto another one is handed in. */
export type CheckEd25519 = (
  key: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array<ArrayBuffer>,
) => Promise<boolean>

/** Why a signature does not count. All but `signature` are seen without a key. */
export type SignatureFault = 'malformed' | 'proof_type' | 'proof_value' | 'signature'

export type SignatureVerdict =
  /** `nulls_dropped`: not over the receipt as it was received, and yet over what is left of it without its null members. */
  { valid: true; over: 'received' | 'nulls_dropped' } | { valid: false; fault: SignatureFault }

const imported = new WeakMap<PublicKey, Promise<CryptoKey>>()

export const checkWithWebCrypto: CheckEd25519 = async (key, signature, bytes) => {
  let handle = imported.get(key)
  if (handle === undefined)
    imported.set(
      key,
      (handle = globalThis.crypto.subtle.importKey('raw', key.raw, 'Ed25519', false, ['verify'])),
    )
  return globalThis.crypto.subtle.verify('Ed25519', await handle, signature, bytes)
}

/**
 * Checks the signature of one receipt: over the bytes as received, and when that fails and members are null, once more without them. Only
 * `proofValue` and `type` count; the rest of a proof is not signed and proves nothing.
 *
 * @see docs/sources/receipts.md
 */
export async function verifySignature(
  receipt: Receipt,
  key: PublicKey,
  check: CheckEd25519 = checkWithWebCrypto,
): Promise<SignatureVerdict> {
  const { signed, hashed } = receipt
  const signature = readProof(receipt.facts.proof)
  if (typeof signature === 'string') return { valid: false, fault: signature }
  if (signed === null || hashed === null) return { valid: false, fault: 'malformed' }
  if (await check(key, signature, bytesOf(signed))) return { valid: true, over: 'received' }
  const again = receipt.holdsNulls && (await check(key, signature, bytesOf(hashed)))
  return again ? { valid: true, over: 'nulls_dropped' } : { valid: false, fault: 'signature' }
}

/** The 64 bytes of a signature, or why there are none. Padding, another alphabet or something behind the text is refused. */
export function readProof(proof: unknown): Uint8Array<ArrayBuffer> | SignatureFault {
  if (member(proof, 'type') !== 'Ed25519Signature2020') return 'proof_type'
  return readSignature(member(proof, 'proofValue')) ?? 'proof_value'
}

/** The 64 bytes of `u` and 86 characters of base64url. */
export function readSignature(text: unknown): Uint8Array<ArrayBuffer> | null {
  return typeof text === 'string' && /^u[A-Za-z0-9_-]{86}$/.test(text) ? readBase64Url(text.slice(1)) : null
}
