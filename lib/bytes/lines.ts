/** A line of a body: byte offsets into the array, `end` without the line end. */
export interface Line {
  start: number
  end: number
  /** Where the next line begins. */
  next: number
  /** False only for a last line without a line end. */
  ended: boolean
}

const LF = 10
const CR = 13

/**
 * Lines of a body in order, by offset: nothing is copied. LF and CRLF end a line; lines of blanks are skipped,
 * they are no records. A byte order mark is skipped where the stream begins.
 *
 * @param streamStart true when `bytes` begins at offset 0 of its stream
 */
export function* eachLine(bytes: Uint8Array, streamStart = true): Generator<Line, void, undefined> {
  let start = streamStart ? markLength(bytes) : 0
  while (start < bytes.length) {
    const found = bytes.indexOf(LF, start)
    const ended = found !== -1
    const next = ended ? found + 1 : bytes.length
    let end = ended ? found : bytes.length
    if (ended && end > start && bytes[end - 1] === CR) end--
    if (!isBlank(bytes, start, end)) yield { start, end, next, ended }
    start = next
  }
}

/** Length of the UTF-8 byte order mark at the front: 3 or 0. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** Whether a range holds nothing but blanks, tabs and line ends. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = bytes[i]
    if (c !== 32 && c !== 9 && c !== LF && c !== CR) return false
  }
  return true
}

/** Whether a range begins, after blanks, with `{` or `[`. */
export function beginsLikeJson(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = bytes[i]
    if (c === 0x7b || c === 0x5b) return true
    if (c !== 32 && c !== 9 && c !== LF && c !== CR) return false
  }
  return false
}

/** First bytes of a range as text, for a detail that names what was found; never throws. */
export function glimpse(bytes: Uint8Array, start: number, end: number, charsMax = 60): string {
  const text = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + charsMax * 4)))
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text
}
