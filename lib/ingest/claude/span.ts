import { createScanner, type JSONScanner } from 'jsonc-parser'
import { inJsonString } from '../../text/decisive-line'
import type { LineInput, Span } from '../normal-form'

// jsonc-parser declares its token kinds as an ambient const enum, which isolated modules cannot import.
const OPEN_BRACE = 1, CLOSE_BRACE = 2, OPEN_BRACKET = 3, CLOSE_BRACKET = 4, COMMA = 5, EOF = 17

export type Path = readonly (string | number)[]

/** Where the value at `path` stands in a JSON text, in UTF-16 units, end exclusive; `null` when there is none. Of equal keys the last counts. */
export function rangeOf(text: string, path: Path): { start: number; end: number } | null {
  const scanner = createScanner(text, true)
  let range = valueFrom(scanner, 0)
  for (const step of path) {
    const inner = range === null ? null : memberOf(scanner, range.start, step)
    if (inner === null) return null
    range = inner
  }
  return range
}

/** Reads one value from a position to its end; counts brackets instead of recursing, so depth costs nothing. */
function valueFrom(scanner: JSONScanner, position: number): { start: number; end: number } | null {
  scanner.setPosition(position)
  let token: number = scanner.scan()
  if (token === EOF) return null
  const start = scanner.getTokenOffset()
  for (let depth = 0; token !== EOF; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth++
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth--
    if (depth <= 0) return { start, end: scanner.getPosition() }
  }
  return null
}

function memberOf(scanner: JSONScanner, position: number, step: string | number): { start: number; end: number } | null {
  scanner.setPosition(position)
  const wanted = typeof step === 'string' ? OPEN_BRACE : OPEN_BRACKET
  if ((scanner.scan() as number) !== wanted) return null
  let found: { start: number; end: number } | null = null
  for (let index = 0; ; index++) {
    let at = scanner.getPosition()
    let matches = index === step
    if (typeof step === 'string') {
      if ((scanner.scan() as number) === CLOSE_BRACE) return found
      matches = scanner.getTokenValue() === step
      scanner.scan()
      at = scanner.getPosition()
    }
    const value = valueFrom(scanner, at)
    // An empty list reads its own closing bracket as a value.
    if (value === null || scanner.getToken() as number === CLOSE_BRACKET && value.end === value.start + 1) return found
    if (matches) {
      found = value
      if (typeof step === 'number') return found
    }
    if ((scanner.scan() as number) !== COMMA) return found
  }
}

const pointerOf = (path: Path): string => path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Length in UTF-8 of a piece of a text. */
function utf8Length(text: string, start: number, end: number): number {
  let bytes = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code >= 0xd800 && code <= 0xdbff && at + 1 < end) { bytes += 4; at++ }
    else bytes += 3
  }
  return bytes
}

/** The span of a whole record. */
export const wholeSpan = (line: LineInput): Span => ({ start: 0, end: line.keptEnd - line.keptStart })

const bytesOf = (line: LineInput, range: { start: number; end: number }, path: Path): Span => {
  const start = utf8Length(line.text, 0, range.start)
  return { start, end: start + utf8Length(line.text, range.start, range.end), jsonPointer: pointerOf(path) }
}

/**
 * Bytes of the value at `path` within the record (UTF-8, relative to the record's first kept byte), with its JSON pointer;
 * the whole record when nothing stands there. Walks the text, so it is asked only for what gets a pointer.
 */
export function spanOf(line: LineInput, path: Path): Span {
  const range = rangeOf(line.text, path)
  return range === null ? wholeSpan(line) : bytesOf(line, range, path)
}

/** Bytes of a passage of the text at `path`; offsets count UTF-16 units of the decoded text. The whole value when it is no text. */
export function passageSpan(line: LineInput, path: Path, passage: { start: number; end: number }): Span {
  const range = rangeOf(line.text, path)
  if (range === null) return wholeSpan(line)
  const raw = line.text.slice(range.start, range.end)
  if (!raw.startsWith('"')) return bytesOf(line, range, path)
  const inner = inJsonString(raw, passage.start, passage.end)
  if (inner.end <= inner.start) return bytesOf(line, range, path)
  return bytesOf(line, { start: range.start + inner.start, end: range.start + inner.end }, path)
}
