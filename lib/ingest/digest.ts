import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const DIGEST_CHARS = 32
/** From here on the platform's own SHA-256 is worth the wait for it. */
const LARGE = 16 * 1024

/** SHA-256 of bytes in hex, first 32 characters: tells records apart, proves nothing. */
export const digestOfBytes = (bytes: Uint8Array): string => bytesToHex(sha256(bytes)).slice(0, DIGEST_CHARS)

/** The same for a record of any size; `null` for a small one, whose digest is cheaper when it is asked for. */
export async function digestOfLarge(bytes: Uint8Array): Promise<string | null> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (bytes.length < LARGE || subtle === undefined) return null
  return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))).slice(0, DIGEST_CHARS)
}
