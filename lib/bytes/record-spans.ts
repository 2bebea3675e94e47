import { documentSpans, elementSpans, type ByteSpan, type DocumentSpans } from './json-spans'
import { beginsLikeJson, eachLine, isBlank } from './lines'

/** A record as it is in a part, before it is read. */
export interface RecordSpan extends ByteSpan {
  /** The input ends with it, without a line end: it may be torn. */
  open: boolean
  /** The input ends inside of it, that much is certain; blank when only the end of the list is missing. */
  torn: boolean
}

/**
 * The records of a part by their bytes: lines; elements of a list; objects spread over lines. Documents are recognised only
 * where a stream begins.
 *
 * @param document what `documentSpans` says of the bytes, where that is known; only for a part that begins its stream
 */
export function* recordSpans(
  bytes: Uint8Array,
  streamStart: boolean,
  document: DocumentSpans | null = streamStart ? documentSpans(bytes) : null,
): Generator<RecordSpan, void, undefined> {
  if (document !== null) {
    for (const span of document.spans) yield { ...span, open: false, torn: false }
    if (document.tornAt !== null) yield { start: document.tornAt, end: bytes.length, open: true, torn: true }
    return
  }
  let first = streamStart
  for (const line of eachLine(bytes, streamStart)) {
    const list =
      first && bytes[line.start] === 0x5b ? elementSpans(bytes.subarray(0, line.end), line.start) : null
    first = false
    // The elements of a list are its records: an empty one has none.
    if (list !== null && list.end !== -1 && isBlank(bytes, list.end, line.end)) {
      for (const span of list.spans) yield { ...span, open: false, torn: false }
    } else yield { start: line.start, end: line.end, open: !line.ended, torn: false }
  }
}

/** Parts below this size are read line by line even when they look binary, except at the front of a stream. */
const BINARY_PART_MIN = 64 * 1024
const HEAD = 4096

/** Whether a part is data of another kind altogether: no line begins like JSON and a good share of its head is no text. */
export function isBinaryPart(bytes: Uint8Array, streamStart: boolean): boolean {
  if (!looksBinary(bytes) || (!streamStart && bytes.length < BINARY_PART_MIN)) return false
  for (const line of eachLine(bytes, streamStart))
    if (beginsLikeJson(bytes, line.start, line.end)) return false
  return true
}

/** Whether the head of some bytes is no text: one byte in ten is a control character or no UTF-8. */
export function looksBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD)
  if (head.length === 0) return false
  let strange = 0
  for (const c of head)
    if (c < 32 && c !== 9 && c !== 10 && c !== 13 && c !== 27 && c !== 12 && c !== 8) strange++
  const text = new TextDecoder().decode(head)
  strange += text.split('\ufffd').length - 1
  return strange * 10 > head.length
}

/**
 * Splits a body into parts that end at line ends and hold up to `target` bytes and `linesMax` lines; a longer line is a part of its own. A
 * body that is one document stays whole. `target` 1 gives each line its own part, as hook frames need.
 */
export function* splitBody(
  bytes: Uint8Array,
  target: number,
  linesMax = Number.POSITIVE_INFINITY,
  document: DocumentSpans | null = documentSpans(bytes),
): Generator<ByteSpan, void, undefined> {
  if (bytes.length === 0) return
  if (document !== null) {
    yield { start: 0, end: bytes.length }
    return
  }
  let start = 0
  while (start < bytes.length) {
    const end = lineLimit(bytes, start, partEnd(bytes, start, target), linesMax)
    yield { start, end }
    start = end
  }
}

/** The end of the last of so many lines, where the part has more. */
function lineLimit(bytes: Uint8Array, start: number, end: number, linesMax: number): number {
  // Each line has a byte at least.
  if (end - start <= linesMax) return end
  let at = start
  for (let lines = 0; lines < linesMax; lines++) {
    at = bytes.indexOf(10, at) + 1
    if (at === 0 || at >= end) return end
  }
  return at
}

function partEnd(bytes: Uint8Array, start: number, target: number): number {
  if (bytes.length - start <= target) return bytes.length
  const before = bytes.lastIndexOf(10, start + target - 1)
  if (before >= start) return before + 1
  const after = bytes.indexOf(10, start + target)
  return after === -1 ? bytes.length : after + 1
}
