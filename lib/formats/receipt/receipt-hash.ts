import { canonicalJson, NotCanonical } from '../../text/canonical-json'
import { createSha256 } from '../../bytes/sha256'
import type { Receipt } from './receipt'

const encoder = new TextEncoder()

/** The bytes of a text as they are signed and hashed. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** `sha256:` and the hex digest of a text's UTF-8. */
export function hashOf(text: string): string {
  const hash = createSha256()
  hash.update(bytesOf(text))
  return `sha256:${hash.hex()}`
}

/** The hash by which a successor names the receipt. Its signature is no part of it. Null when there is no canonical form. */
export const receiptHash = (receipt: Receipt): string | null =>
  receipt.hashed === null ? null : hashOf(receipt.hashed)

/** The hash of parameters or of a response (redacted, as it was hashed); null when it has no canonical form. */
export function valueHash(value: unknown): string | null {
  try {
    return hashOf(canonicalJson(value))
  } catch (error) {
    if (error instanceof NotCanonical) return null
    throw error
  }
}
