import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What a sealed value is for: opened under another name it is nothing, so that it cannot be moved from row to row. */
export interface SealPlace {
  projectId: string
  connectionId: string
  column: 'credential' | 'database_url'
}

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES

const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'inquest source connections', 32))
const nameOf = ({ projectId, connectionId, column }: SealPlace): Buffer =>
  Buffer.from(`${projectId}/${connectionId}/${column}`)

/**
 * Seals a text (AES-256-GCM) with a key that is derived from the secret of the server.
 *
 * @see docs/decisions/0018-fetching.md
 */
export function seal(secret: string, place: SealPlace, text: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv)
  cipher.setAAD(nameOf(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed])
}

/** The text again; null when it was sealed with another secret, for another place, or was changed. */
export function openSealed(secret: string, place: SealPlace, sealed: Uint8Array): string | null {
  if (sealed[0] !== VERSION || sealed.length < HEAD_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(1, 1 + IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(nameOf(place))
  decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, HEAD_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
