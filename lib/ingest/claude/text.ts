import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { storable } from '../storable'

/** First `max` UTF-16 units, never half of a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return storable(text)
  const last = text.charCodeAt(max - 1)
  return storable(text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max))
}

/** Last `max` UTF-16 units, never half of a surrogate pair. */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) return storable(text)
  const first = text.charCodeAt(text.length - max)
  return storable(text.slice(text.length - (first >= 0xdc00 && first <= 0xdfff ? max - 1 : max)))
}

/** White space other than single blanks. */
const UNEVEN = /[^\S ]|  /

/** One line of at most 200 characters: white space runs become one blank; what was cut ends with an ellipsis. */
export function oneLine(text: string, max = 200): string {
  // Only the head is looked at: a record may hold megabytes, and its line in a list holds 200 characters.
  const head = text.length > max * 2 ? text.slice(0, max * 2) : text
  const line = (UNEVEN.test(head) ? head.replace(/\s+/g, ' ') : head).trim()
  if (line.length <= max && head.length === text.length) return storable(line)
  return `${clip(line, max - 1).trimEnd()}…`
}

/** Cuts a text to `max` bytes of UTF-8 on a character boundary, with a mark when something was cut. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  const bytes = utf8ToBytes(text)
  if (bytes.length <= max) return text
  let end = max
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return `${new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end))}…(truncated)`
}

/** SHA-256 of a text in hex, first 32 characters: enough to tell things apart, never a proof. */
export const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32)

/** Digest of a JSON value that does not depend on the order of its keys. */
export const digestOfJson = (value: unknown): string => digestOf(canonical(value))

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const record = value as Record<string, unknown>
  return `{${Object.keys(record).sort().map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`).join(',')}}`
}

/** An id as it can be a key: storable, and no longer than an index takes; longer ones end with a digest of the whole. */
export const idText = (text: string): string => shortened(text, 256)

/** A target as it is stored: whole up to 2,000 characters, longer ones end with a digest so that different ones stay different. */
export const targetText = (text: string): string => shortened(text, 2_000)

const shortened = (text: string, max: number): string =>
  text.length <= max ? storable(text) : `${clip(text, max - 34)}…#${digestOf(text)}`

/** The usual spelling, of days that every month has: nothing is left to check. */
const USUAL_TIME = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** A producer's time as ISO 8601 UTC with milliseconds; `null` for what is no time or lies outside the years 1 to 9999. */
export function timeOf(text: string | null): string | null {
  if (text === null || text.length > 64) return null
  if (USUAL_TIME.test(text)) return text
  const at = Date.parse(text)
  if (!(at >= -62_135_596_800_000 && at <= 253_402_300_799_999)) return null
  return new Date(at).toISOString()
}
