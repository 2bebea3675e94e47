import { createSha256 } from '../../bytes/sha256'
import { capText } from '../../text/cap-text'
import { ownCopy } from '../../text/own-copy'

const utf8 = new TextEncoder()

/** Last `max` UTF-16 units, never half of a surrogate pair. */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) return text
  const first = text.charCodeAt(text.length - max)
  return ownCopy(text.slice(text.length - (first >= 0xdc00 && first <= 0xdfff ? max - 1 : max)))
}

/** Head and tail of a longer text, at most `max` units: programs say what broke at either end. A line between them says so. */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const mark = '\n… the middle is left out here …\n'
  const head = Math.floor((max - mark.length) / 3)
  return `${capText(text, head)}${mark}${clipStart(text, max - mark.length - head)}`
}

const PIECE_CHARS = 64 * 1024

/** Hashes texts one after the other, in pieces: a record of 60 MB must not be copied to be compared. */
class Digester {
  private readonly hash = createSha256()
  private pending = ''

  add(text: string): void {
    if (text.length <= PIECE_CHARS) {
      this.pending += text
      if (this.pending.length > PIECE_CHARS) this.flush()
      return
    }
    for (let at = 0; at < text.length; ) {
      const piece = capText(text.slice(at, at + PIECE_CHARS), PIECE_CHARS - 1)
      this.flush()
      this.pending = piece
      at += piece.length
    }
  }

  private flush(): void {
    if (this.pending !== '') this.hash.update(utf8.encode(this.pending))
    this.pending = ''
  }

  /** Hex, first 32 characters: enough to tell things apart, never a proof. */
  finish(): string {
    this.flush()
    return this.hash.hex().slice(0, 32)
  }
}

/** SHA-256 of a text in hex, first 32 characters. */
export function digestOf(text: string): string {
  const digester = new Digester()
  digester.add(text)
  return digester.finish()
}

/** Digest of a JSON value that does not depend on the order of its keys. */
export function digestOfJson(value: unknown): string {
  const digester = new Digester()
  addJson(digester, value)
  return digester.finish()
}

/** Each value is written with its kind and size in front, so that no two values are written alike; texts go in as they are. */
function addJson(digester: Digester, value: unknown): void {
  if (typeof value === 'string') {
    digester.add(`"${value.length}:`)
    digester.add(value)
  } else if (Array.isArray(value)) {
    digester.add(`[${value.length}:`)
    for (const inner of value) addJson(digester, inner)
  } else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    const keys = Object.keys(record).sort()
    digester.add(`{${keys.length}:`)
    for (const key of keys) {
      addJson(digester, key)
      addJson(digester, record[key])
    }
  } else digester.add(`${String(value)};`)
}

/** An id as it can be a key: no longer than an index takes; longer ones end with a digest of the whole. */
export const idText = (text: string): string => shortened(text, 256)

/** The ids in a list of anything, at most a thousand. */
export const idsOf = (list: unknown[] | null): string[] =>
  (list ?? [])
    .filter((id) => typeof id === 'string')
    .slice(0, 1_000)
    .map(idText)

/** A text as it is, anything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** A target as it is stored: whole up to 2,000 characters, longer ones end with a digest so that different ones stay different. */
export const targetText = (text: string): string => shortened(text, 2_000)

const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${capText(text, max - 34)}…#${digestOf(text)}`

/** The usual spelling, of days that every month has: nothing is left to check. */
const USUAL_TIME =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** A producer's time as ISO 8601 UTC with milliseconds; `null` for what is no time or lies outside the years 1 to 9999. */
export function timeOf(text: string | null): string | null {
  if (text === null || text.length > 64) return null
  if (USUAL_TIME.test(text)) return text
  const at = Date.parse(text)
  if (!(at >= -62_135_596_800_000 && at <= 253_402_300_799_999)) return null
  return new Date(at).toISOString()
}
