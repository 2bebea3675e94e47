import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'

type NodeCrypto = {
  createHash(name: string): { update(bytes: Uint8Array): unknown; digest(encoding: 'hex'): string }
}

// Asked for, not imported, as in lib/bytes/sha256.ts: these rules also run in a browser.
const node = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined

/** Git's id of a blob of known size, from its bytes piece by piece. */
export interface BlobId {
  update(bytes: Uint8Array): void
  hex(): string
}

/** @param size bytes of the whole blob; the id begins with it */
export function createBlobId(size: number, crypto: NodeCrypto | null = node ?? null): BlobId {
  const head = new TextEncoder().encode(`blob ${size}\0`)
  if (crypto === null) {
    const hash = sha1.create().update(head)
    return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) }
  }
  const hash = crypto.createHash('sha1')
  hash.update(head)
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
