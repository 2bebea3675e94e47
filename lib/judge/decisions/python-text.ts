/**
 * Text as the source of the rules handles it. It is written in Python, whose white space, line ends and lengths are not those of
 * JavaScript (`docs/sources/decisions.md`).
 */

const isSpace = (code: number): boolean =>
  (code >= 0x09 && code <= 0x0d) ||
  (code >= 0x1c && code <= 0x20) ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000

/** The same as a class of characters, for patterns. */
export const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'

/** Removes white space at both ends. U+FEFF stays, which `trim` would remove; U+001C to U+001F and U+0085 go, which it would leave. */
export function strip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

export const isBlank = (text: string): boolean => strip(text) === ''

/** Every line end that splits, besides CRLF, which is one. */
export const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

/** The lines of a text, without their ends and without an empty last one. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_END)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Whether some line, without the white space around it, is the marker. */
export const standsAlone = (text: string, marker: string): boolean =>
  text.includes(marker) && splitLines(text).some((line) => strip(line) === marker)

/** Code points, of which a surrogate pair is one. */
export function codePointCount(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; count++) i += isPairAt(text, i) ? 2 : 1
  return count
}

/** The first `count` code points. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let left = count; left > 0 && end < text.length; left--) end += isPairAt(text, end) ? 2 : 1
  return text.slice(0, end)
}

function isPairAt(text: string, at: number): boolean {
  const first = text.charCodeAt(at)
  if (first < 0xd800 || first > 0xdbff) return false
  const second = text.charCodeAt(at + 1)
  return second >= 0xdc00 && second <= 0xdfff
}

const KEPT_CODE_POINTS = 5_000

/** The last 5,000 code points of a longer text, behind a line that says how many went. */
export function truncate(text: string): string {
  if (text.length <= KEPT_CODE_POINTS) return text
  const dropped = codePointCount(text) - KEPT_CODE_POINTS
  if (dropped <= 0) return text
  return `...[truncated ${dropped} chars]...\n${text.slice(firstCodePoints(text, dropped).length)}`
}
