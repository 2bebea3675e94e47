import { createBlobId } from '@/lib/judge/patches/blob-id'

/** Git's id (SHA-1) of a file. */
export function blobId(bytes: Uint8Array): string {
  const hash = createBlobId(bytes.length)
  hash.update(bytes)
  return hash.hex()
}
