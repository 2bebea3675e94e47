import { inJsonString } from '../../text/decisive-line'
import { stringEnd } from '../../text/json-depth'
import type { LineInput } from '../../model/adapter'
import type { Span } from '../../model/span'

export type Path = readonly (string | number)[]

/** A piece of a text in UTF-16 units, end exclusive. */
interface Range {
  start: number
  end: number
}

/**
 * Where the value at `path` is in a JSON text; `null` when there is none. Of equal keys the last counts, as for `JSON.parse`.
 * The text has been parsed before, so its shape is sound. Written by hand because a published scanner decodes every token on the way,
 * which took more than half of the time of a failed record.
 */
export function rangeOf(text: string, path: Path): Range | null {
  return descend(text, valueAt(text, skipBlank(text, text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0)), path)
}

function descend(text: string, from: Range | null, path: Path): Range | null {
  let range = from
  for (const step of path) {
    range = range === null ? null : memberOf(text, range.start, step)
    if (range === null) return null
  }
  return range
}

const BYTE_ORDER_MARK = 0xfeff
const QUOTE = 0x22,
  COMMA = 0x2c,
  COLON = 0x3a,
  OPEN_LIST = 0x5b,
  CLOSE_LIST = 0x5d,
  OPEN_OBJECT = 0x7b,
  CLOSE_OBJECT = 0x7d

function skipBlank(text: string, from: number): number {
  let at = from
  for (
    let code = text.charCodeAt(at);
    code === 32 || code === 10 || code === 13 || code === 9;
    code = text.charCodeAt(at)
  )
    at++
  return at
}

/** The value that begins at `start`. Counts brackets instead of recursing, so depth costs nothing. */
function valueAt(text: string, start: number): Range | null {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at)
      if (depth === 0) return { start, end: at }
      continue
    }
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      // The bracket of the list or object around a number or word.
      if (depth === 0) break
      if (--depth === 0) return { start, end: at + 1 }
    } else if (depth === 0 && (code === COMMA || code <= 32)) break
    at++
  }
  return at > start ? { start, end: at } : null
}

function memberOf(text: string, open: number, step: string | number): Range | null {
  const inObject = typeof step === 'string'
  if (text.charCodeAt(open) !== (inObject ? OPEN_OBJECT : OPEN_LIST)) return null
  let found: Range | null = null
  let at = skipBlank(text, open + 1)
  for (let index = 0; at < text.length; index++) {
    let matches = index === step
    if (inObject) {
      if (text.charCodeAt(at) !== QUOTE) return found
      const end = stringEnd(text, at)
      matches = isKey(text, at, end, step)
      at = skipBlank(text, end)
      if (text.charCodeAt(at) !== COLON) return found
      at = skipBlank(text, at + 1)
    }
    const value = valueAt(text, at)
    if (value === null) return found
    if (matches) {
      found = value
      if (!inObject) return found
    }
    at = skipBlank(text, value.end)
    if (text.charCodeAt(at) !== COMMA) return found
    at = skipBlank(text, at + 1)
  }
  return found
}

/** The members of the object that a sound JSON text is, in their order, equal keys each on their own; null when it is no object. */
export function membersOf(text: string): { key: string; value: string }[] | null {
  const open = skipBlank(text, 0)
  if (text.charCodeAt(open) !== OPEN_OBJECT) return null
  const members: { key: string; value: string }[] = []
  let at = skipBlank(text, open + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const end = stringEnd(text, at)
    const range = valueAt(text, skipBlank(text, skipBlank(text, end) + 1))
    if (range === null) break
    members.push({
      key: JSON.parse(text.slice(at, end)) as string,
      value: text.slice(range.start, range.end),
    })
    at = skipBlank(text, skipBlank(text, range.end) + 1)
  }
  return members
}

/** Keys are compared as written, unless an escape is in them. */
function isKey(text: string, start: number, end: number, key: string): boolean {
  const raw = text.slice(start + 1, end - 1)
  return raw === key || (raw.includes('\\') && JSON.parse(text.slice(start, end)) === key)
}

const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Length in UTF-8 of a piece of a text. */
function utf8Length(text: string, start: number, end: number): number {
  let bytes = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code >= 0xd800 && code <= 0xdbff && at + 1 < end) {
      bytes += 4
      at++
    } else bytes += 3
  }
  return bytes
}

/** The span of a whole record. */
export const wholeSpan = (line: LineInput): Span => ({ start: 0, end: line.keptEnd - line.keptStart })

/** What one walk through a record found out, so that many pointers into it do not take a walk each. */
interface Walked {
  /** Elements of the lists that were asked for, by the pointer to the list. */
  lists: Map<string, Range[]>
  /** The last place that was counted, and the bytes before it. */
  at: number
  bytes: number
}
const walked = new WeakMap<LineInput, Walked>()
const walkOf = (line: LineInput): Walked => {
  const known = walked.get(line)
  if (known !== undefined) return known
  const walk: Walked = { lists: new Map(), at: 0, bytes: 0 }
  walked.set(line, walk)
  return walk
}

/** Like `rangeOf`; the elements of the first list on the way are found once for all of them. */
function rangeIn(line: LineInput, path: Path): Range | null {
  const index = path.findIndex((step) => typeof step === 'number')
  if (index === -1) return rangeOf(line.text, path)
  const { lists } = walkOf(line)
  const pointer = pointerOf(path.slice(0, index))
  let elements = lists.get(pointer)
  if (elements === undefined) {
    elements = elementsOf(line.text, rangeOf(line.text, path.slice(0, index)))
    lists.set(pointer, elements)
  }
  return descend(line.text, elements[path[index] as number] ?? null, path.slice(index + 1))
}

function elementsOf(text: string, list: Range | null): Range[] {
  const elements: Range[] = []
  if (list === null || text.charCodeAt(list.start) !== OPEN_LIST) return elements
  let at = skipBlank(text, list.start + 1)
  for (let value = valueAt(text, at); value !== null; value = valueAt(text, at)) {
    elements.push(value)
    at = skipBlank(text, value.end)
    if (text.charCodeAt(at) !== COMMA) break
    at = skipBlank(text, at + 1)
  }
  return elements
}

function bytesBefore(line: LineInput, place: number): number {
  const walk = walkOf(line)
  walk.bytes =
    place < walk.at ? utf8Length(line.text, 0, place) : walk.bytes + utf8Length(line.text, walk.at, place)
  walk.at = place
  return walk.bytes
}

const bytesOf = (line: LineInput, range: Range, path: Path): Span => {
  const start = bytesBefore(line, range.start)
  return { start, end: start + utf8Length(line.text, range.start, range.end), jsonPointer: pointerOf(path) }
}

/**
 * Bytes of the value at `path` within the record (UTF-8, relative to the record's first kept byte), with its JSON pointer;
 * the whole record when nothing is there. Walks the text, so it is asked only for what gets a pointer.
 */
export function spanOf(line: LineInput, path: Path): Span {
  const range = rangeIn(line, path)
  return range === null ? wholeSpan(line) : bytesOf(line, range, path)
}

/** Bytes of a passage of the text at `path`; offsets count UTF-16 units of the decoded text. The whole value when it is no text. */
export function passageSpan(line: LineInput, path: Path, passage: { start: number; end: number }): Span {
  const range = rangeIn(line, path)
  if (range === null) return wholeSpan(line)
  const raw = line.text.slice(range.start, range.end)
  if (!raw.startsWith('"')) return bytesOf(line, range, path)
  const inner = inJsonString(raw, passage.start, passage.end)
  if (inner.end <= inner.start) return bytesOf(line, range, path)
  return bytesOf(line, { start: range.start + inner.start, end: range.start + inner.end }, path)
}

/** Bytes of a passage of a record that is text unchanged, and no JSON; offsets count UTF-16 units. */
export function textPassageSpan(line: LineInput, passage: { start: number; end: number }): Span {
  const start = utf8Length(line.text, 0, passage.start)
  return { start, end: start + utf8Length(line.text, passage.start, passage.end) }
}
