/**
 * Bytes as text of one character each: `'é'` in UTF-8 is two of them. Names and header lines are handled so, because git's
 * rules speak of bytes and a name need not be UTF-8. Nothing here decodes a whole patch.
 */
export type ByteText = string

const CHUNK = 8192

/** The bytes from `start` to `end` as a text of characters 0 to 255. */
export function byteText(bytes: Uint8Array, start = 0, end = bytes.length): ByteText {
  if (end - start <= CHUNK) return String.fromCharCode(...bytes.subarray(start, end))
  const parts: string[] = []
  for (let at = start; at < end; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, Math.min(at + CHUNK, end))))
  return parts.join('')
}

/** The inverse of `byteText`. */
export function bytesOf(text: ByteText): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Whether ASCII `text` is at `at`. Places outside the bytes hold nothing. */
export function hasTextAt(bytes: Uint8Array, at: number, text: string): boolean {
  if (at < 0 || at + text.length > bytes.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** One past the line feed of the line at `at`, or the end of the bytes when it has none. */
export function lineEnd(bytes: Uint8Array, at: number): number {
  const feed = bytes.indexOf(LF, at)
  return feed === -1 ? bytes.length : feed + 1
}

/** Byte ranges of lines by their numbers, from 1; lines that are not there have none. */
export function lineRanges(
  bytes: Uint8Array,
  lines: readonly { start: number; end: number }[],
): { start: number; end: number }[] {
  const wanted = lines.toSorted((a, b) => a.start - b.start)
  const found: { start: number; end: number }[] = []
  let [at, line] = [0, 1]
  for (const { start, end } of wanted) {
    for (; line < start && at < bytes.length; line++) at = lineEnd(bytes, at)
    let [to, last] = [at, line]
    for (; last <= end && to < bytes.length; last++) to = lineEnd(bytes, to)
    if (to > at) found.push({ start: at, end: to })
  }
  return found
}

export const LF = 10
export const CR = 13

/** White space as git sees it in headers: blank, tab, LF and CR. */
export const isSpace = (char: string | undefined): boolean =>
  char === ' ' || char === '\t' || char === '\n' || char === '\r'

export const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9'
