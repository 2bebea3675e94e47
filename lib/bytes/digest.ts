import { createSha256 } from './sha256'

const DIGEST_CHARS = 32

/** SHA-256 of bytes in hex, first 32 characters: distinguishes records, proves nothing. */
export function digestOfBytes(bytes: Uint8Array): string {
  const hash = createSha256()
  hash.update(bytes)
  return hash.hex().slice(0, DIGEST_CHARS)
}
