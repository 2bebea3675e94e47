import { createSha256 } from '../../bytes/sha256'
import { readBase58, writeBase58 } from './base58'

/** An Ed25519 public key. */
export interface PublicKey {
  /** Its 32 bytes. */
  raw: Uint8Array<ArrayBuffer>
  /** `sha256:` and the hex digest of these bytes, as rotations name it. */
  fingerprint: string
}

export const KEY_BYTES = 32
const DID_KEY = 'did:key:'
/** What an SPKI wrapping of an Ed25519 key begins with; the key itself follows. */
const SPKI_HEAD = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
/** The number of Ed25519 public keys among multicodecs, as a varint. */
const MULTICODEC_HEAD = [0xed, 0x01]
const MULTIBASE_CHARS_MAX = 64

/**
 * Reads a key as an operator gives it: PEM (`PUBLIC KEY`), 32 bytes as multibase `u…`, or `did:key:z6Mk…` with or without its `#` part.
 * Null when it is none of these: the operator's error, and no word on any chain.
 *
 * @see docs/sources/receipts.md
 */
export function parsePublicKey(text: string): PublicKey | null {
  const given = text.trim()
  const pem = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/.exec(given)
  if (pem !== null) return keyOf(behind(SPKI_HEAD, readBase64(pem[1]!.replace(/\s/g, ''))))
  if (given.startsWith(DID_KEY)) return parseDidKey(given)
  return parseMultibaseKey(given)
}

/** The key in `u` and 43 characters of base64url, as rotations carry it. */
export function parseMultibaseKey(text: unknown): PublicKey | null {
  return typeof text === 'string' && /^u[A-Za-z0-9_-]{43}$/.test(text)
    ? keyOf(readBase64Url(text.slice(1)))
    : null
}

/** The name that says the key: `did:key:z…`. */
export const didKeyOf = ({ raw }: PublicKey): string =>
  `${DID_KEY}z${writeBase58(Uint8Array.from([...MULTICODEC_HEAD, ...raw]))}`

/** The bytes of base64url text without padding that was checked for its alphabet; null when no byte string has this length. */
export const readBase64Url = (text: string): Uint8Array<ArrayBuffer> | null =>
  readBase64(text.replaceAll('-', '+').replaceAll('_', '/'))

function parseDidKey(did: string): PublicKey | null {
  const name = did.slice(DID_KEY.length).split('#')[0]!
  if (!name.startsWith('z') || name.length > MULTIBASE_CHARS_MAX) return null
  return keyOf(behind(MULTICODEC_HEAD, readBase58(name.slice(1))))
}

function keyOf(bytes: Uint8Array | null): PublicKey | null {
  if (bytes?.length !== KEY_BYTES) return null
  const raw = Uint8Array.from(bytes)
  const hash = createSha256()
  hash.update(raw)
  return { raw, fingerprint: `sha256:${hash.hex()}` }
}

const behind = (head: readonly number[], bytes: Uint8Array | null): Uint8Array | null =>
  bytes !== null && head.every((byte, i) => bytes[i] === byte) ? bytes.subarray(head.length) : null

/** Bytes of base64 text; null when it is none. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const units = atob(text)
    const bytes = new Uint8Array(units.length)
    // A loop: `from` with a function takes more than ten times as long (10 µs), and this comes before every signature.
    for (let i = 0; i < units.length; i++) bytes[i] = units.charCodeAt(i)
    return bytes
  } catch {
    return null
  }
}
