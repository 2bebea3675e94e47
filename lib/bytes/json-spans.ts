/** Where a JSON value stands: byte offsets, `end` exclusive. */
export interface ByteSpan {
  start: number
  end: number
}

export interface DocumentSpans {
  spans: ByteSpan[]
  /** Where the input ends inside of a value; `null` when it is whole. */
  tornAt: number | null
}

const TORN = -1
const BROKEN = -2

/**
 * The records of a body that is no sequence of lines: one JSON array, or objects that are spread over lines. Elements of a top-level array
 * are records of their own.
 *
 * @param spansMax stops beyond so many records, as if the input were torn there
 * @returns null when the body is to be read line by line (also: when its first line is a whole value)
 */
export function documentSpans(bytes: Uint8Array, spansMax = Number.POSITIVE_INFINITY): DocumentSpans | null {
  let at = skipBlank(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  const first = bytes[at]
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return null
  const feed = bytes.indexOf(LF, at)
  // Without a line end a whole value is a line; only a list whose end is cut off still has records to find.
  if (feed === -1 && first !== OPEN_ARRAY) return null
  const lineEnd = feed === -1 ? bytes.length : feed
  const firstEnd = valueEnd(bytes, at)
  if (firstEnd === BROKEN || (firstEnd >= 0 && firstEnd <= lineEnd)) return null
  if (firstEnd === TORN && !mayBeTornDocument(bytes, at, lineEnd)) return null
  const spans: ByteSpan[] = []
  while (at < bytes.length) {
    if (spans.length > spansMax) return { spans, tornAt: at }
    if (bytes[at] === OPEN_ARRAY) {
      const list = elementSpans(bytes, at, spansMax)
      if (list === null) return null
      // One by one: a call takes only so many arguments.
      for (const span of list.spans) spans.push(span)
      if (list.end === TORN) return { spans, tornAt: list.tornAt }
      at = list.end
    } else if (bytes[at] === OPEN_OBJECT) {
      const end = valueEnd(bytes, at)
      if (end === BROKEN) return null
      if (end === TORN) return { spans, tornAt: at }
      spans.push({ start: at, end })
      at = end
    } else return null
    at = skipBlank(bytes, at)
  }
  return { spans, tornAt: null }
}

/** A torn line at the front must not swallow what follows: only what looks pretty-printed, or like a list of objects, may be torn. */
function mayBeTornDocument(bytes: Uint8Array, open: number, lineEnd: number): boolean {
  const next = skipBlank(bytes, open + 1)
  return bytes[open] === OPEN_OBJECT ? next > lineEnd : next >= bytes.length || bytes[next] === OPEN_OBJECT
}

/**
 * The elements of a list that opens at `open`; null when it is no sound JSON. When the input ends within, `end` is -1 and what follows the
 * last whole element begins at `tornAt`.
 *
 * @param spansMax stops beyond so many elements, as if the input were torn there
 */
export function elementSpans(
  bytes: Uint8Array,
  open: number,
  spansMax = Number.POSITIVE_INFINITY,
): { spans: ByteSpan[]; end: number; tornAt: number } | null {
  const spans: ByteSpan[] = []
  let at = skipBlank(bytes, open + 1)
  if (bytes[at] === CLOSE_ARRAY) return { spans, end: at + 1, tornAt: at }
  for (;;) {
    const end = at < bytes.length ? valueEnd(bytes, at) : TORN
    if (end === BROKEN) return null
    if (end === TORN)
      return { spans, end: TORN, tornAt: at < bytes.length ? at : (spans.at(-1)?.end ?? open) }
    spans.push({ start: at, end })
    if (spans.length > spansMax) return { spans, end: TORN, tornAt: end }
    const next = skipBlank(bytes, end)
    if (next >= bytes.length) return { spans, end: TORN, tornAt: end }
    if (bytes[next] === CLOSE_ARRAY) return { spans, end: next + 1, tornAt: next }
    if (bytes[next] !== COMMA) return null
    at = skipBlank(bytes, next + 1)
  }
}

const LF = 10
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function skipBlank(bytes: Uint8Array, from: number): number {
  let i = from
  while (i < bytes.length && (bytes[i] === 32 || bytes[i] === LF || bytes[i] === 13 || bytes[i] === 9)) i++
  return i
}

/** End of the value that begins at `start`: shape is checked (brackets, keys, colons, commas), the spelling of numbers and words is not. */
function valueEnd(bytes: Uint8Array, start: number): number {
  const closers: number[] = []
  let wants: 'value' | 'value or close' | 'key' | 'key or close' | 'colon' | 'comma or close' = 'value'
  let i = start
  while (i < bytes.length) {
    const c = bytes[i]!
    if (c === 32 || c === LF || c === 13 || c === 9) {
      i++
      continue
    }
    if (wants === 'colon') {
      if (c !== COLON) return BROKEN
      wants = 'value'
      i++
      continue
    }
    if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (closers.pop() !== c || wants === 'value' || wants === 'key') return BROKEN
      i++
    } else if (wants === 'comma or close') {
      if (c !== COMMA) return BROKEN
      wants = closers[closers.length - 1] === CLOSE_OBJECT ? 'key' : 'value'
      i++
      continue
    } else if (c === QUOTE) {
      i = stringEnd(bytes, i)
      if (i < 0) return i
      if (wants === 'key' || wants === 'key or close') {
        wants = 'colon'
        continue
      }
    } else if (wants === 'key' || wants === 'key or close') {
      return BROKEN
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      closers.push(c + 2)
      wants = c === OPEN_OBJECT ? 'key or close' : 'value or close'
      i++
      continue
    } else {
      const end = wordEnd(bytes, i)
      if (end === i) return BROKEN
      i = end
      if (i === bytes.length && closers.length === 0) return i
    }
    if (closers.length === 0) return i
    wants = 'comma or close'
  }
  return TORN
}

function stringEnd(bytes: Uint8Array, open: number): number {
  for (let i = open + 1; i < bytes.length; i++) {
    const c = bytes[i]!
    if (c === QUOTE) return i + 1
    if (c === BACKSLASH) i++
    else if (c === LF) return BROKEN
  }
  return TORN
}

/** Numbers, true, false and null. */
function wordEnd(bytes: Uint8Array, start: number): number {
  let i = start
  for (; i < bytes.length; i++) {
    const c = bytes[i]!
    const isWord =
      (c >= 0x30 && c <= 0x39) ||
      (c >= 0x61 && c <= 0x7a) ||
      c === 0x2d ||
      c === 0x2b ||
      c === 0x2e ||
      c === 0x45
    if (!isWord) break
  }
  return i
}
