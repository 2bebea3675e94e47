import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** A SHA-256 that is fed piece by piece and spelled in hex at the end. */
export interface Sha256 {
  update(bytes: Uint8Array): void
  hex(): string
}

type NodeCrypto = {
  createHash(name: string): { update(bytes: Uint8Array): unknown; digest(encoding: 'hex'): string }
}

// Asked for, not imported: these rules also run in a browser, where there is only the slower one (the platform's own is not synchronous).
const node = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined

/** The fastest one here: Node's own, else `@noble/hashes`. */
export function createSha256(crypto: NodeCrypto | null = node ?? null): Sha256 {
  if (crypto === null) {
    const hash = sha256.create()
    return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) }
  }
  const hash = crypto.createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
