import { rangeOf } from '../../formats/claude/span'
import type { Pointer } from '../../model/execution'
import { isObject, member } from '../../formats/receipt/receipt-facts'

const PLACES = {
  parameters: ['credentialSubject', 'action', 'parameters_disclosure'],
  response: ['credentialSubject', 'outcome', 'response_disclosure'],
} as const
export type Disclosed = keyof typeof PLACES

/** What a receipt discloses of its parameters or of the response. */
export interface Disclosure {
  what: Disclosed
  /** `legacy`: a flat map of texts in the clear, as up to 0.2. `odd`: neither that nor an envelope by the rules; it is shown as it is. */
  kind: 'envelope' | 'legacy' | 'odd'
  /** For whom it is encrypted; null when it is not, or does not say. */
  kid: string | null
  entries: [name: string, value: string][]
  /** Its exact bytes; null where they are unknown. */
  pointer: Pointer | null
}

/**
 * The disclosures of a receipt. Nothing is decrypted: the forensic key is its owner's.
 *
 * @param value   the receipt as it was parsed
 * @param text    the same as it was received
 * @param pointer of that text
 * @see docs/sources/receipts.md
 */
export function disclosuresOf(value: unknown, text: string, pointer: Pointer): Disclosure[] {
  return (Object.keys(PLACES) as Disclosed[]).flatMap((what): Disclosure[] => {
    const path = PLACES[what]
    const found = path.reduce<unknown>((object, key) => member(object, key), value)
    if (found === undefined || found === null) return []
    return [{ what, ...readDisclosure(found), pointer: bytesOf(text, path, pointer) }]
  })
}

const BASE64URL = /^[A-Za-z0-9_-]+$/

function readDisclosure(found: unknown): Pick<Disclosure, 'kind' | 'kid' | 'entries'> {
  if (!isObject(found)) return { kind: 'odd', kid: null, entries: [] }
  const entries = Object.entries(found)
  const flat = entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
  if (flat && member(found, 'recipients') === undefined && member(found, 'ct') === undefined)
    return { kind: 'legacy', kid: null, entries }
  const recipients = member(found, 'recipients')
  const recipient: unknown = Array.isArray(recipients) ? recipients[0] : undefined
  const [kid, enc, ct] = [member(recipient, 'kid'), member(recipient, 'enc'), member(found, 'ct')]
  const sound =
    member(found, 'v') === '1' &&
    member(found, 'alg') === 'hpke-x25519-hkdf-sha256-aes-256-gcm' &&
    Array.isArray(recipients) &&
    recipients.length === 1 &&
    typeof kid === 'string' &&
    kid !== '' &&
    typeof enc === 'string' &&
    enc.length === 43 &&
    BASE64URL.test(enc) &&
    typeof ct === 'string' &&
    ct.length >= 24 &&
    BASE64URL.test(ct)
  return {
    kind: sound ? 'envelope' : 'odd',
    kid: typeof kid === 'string' && kid !== '' ? kid : null,
    entries: [],
  }
}

function bytesOf(
  text: string,
  path: readonly string[],
  { received, byteStart, byteEnd }: Pointer,
): Pointer | null {
  const encoder = new TextEncoder()
  const range = rangeOf(text, path)
  // A byte order mark is not in the text: then its places are not those of the bytes.
  if (range === null || encoder.encode(text).length !== byteEnd - byteStart) return null
  const start = byteStart + encoder.encode(text.slice(0, range.start)).length
  return {
    received,
    byteStart: start,
    byteEnd: start + encoder.encode(text.slice(range.start, range.end)).length,
  }
}
