import { decodeBase85 } from './base85'
import { createBlobId } from './blob-id'
import { byteText, lineEnd, hasTextAt } from './bytes'
import { inflate } from './inflate'
import type { PatchFaultId } from '../../model/messages/patches'
import type { BinaryPayload, PatchProblem } from './patch'

/** Bytes that all payloads of a patch may inflate to before the reader stops looking into them. */
export const INFLATED_BYTES_MAX = 512 * 1024 * 1024

export type BinaryFault = Pick<PatchProblem, 'kind' | 'why'> & { at: number; lines: number }

const damaged = (at: number, lines: number, why: PatchFaultId): BinaryFault => ({
  kind: 'binary-damaged',
  why,
  at,
  lines,
})

/** The text lines of a payload, decoded. `end` is one past the blank line that closes it. */
export function packedBytes(
  bytes: Uint8Array,
  from: number,
): { packed: Uint8Array; end: number; lines: number } | BinaryFault {
  let packed = new Uint8Array(4096)
  let [length, at, lines] = [0, from, 0]
  for (; ; lines++) {
    const end = lineEnd(bytes, at)
    const size = end - at
    if (size === 1) return { packed: packed.subarray(0, length), end, lines: lines + 1 }
    if (size === 0) return damaged(at, lines, 'binary_cut')
    if (size < 7 || (size - 2) % 5 !== 0) return damaged(at, lines, 'binary_line_length')
    const most = ((size - 2) / 5) * 4
    const stated = statedLength(bytes[at]!)
    if (stated === 0 || stated > most || stated <= most - 4)
      return damaged(at, lines, 'binary_line_length_differs')
    if (length + most > packed.length) {
      const larger = new Uint8Array(Math.max(packed.length * 2, length + most))
      larger.set(packed)
      packed = larger
    }
    if (!decodeBase85(bytes, at + 1, stated, packed, length)) return damaged(at, lines, 'binary_characters')
    length += stated
    at = end
  }
}

/** `A` to `Z` say 1 to 26 bytes, `a` to `z` 27 to 52; anything else none. */
function statedLength(char: number): number {
  if (char >= 0x41 && char <= 0x5a) return char - 0x40
  if (char >= 0x61 && char <= 0x7a) return char - 0x60 + 26
  return 0
}

/**
 * Reads one half of a binary change: `literal 12` or `delta 12`, lines of text, a blank line.
 *
 * @param line number of its first line
 * @param room bytes that may still be inflated; when they do not suffice the payload counts as unchecked
 * @returns null when no half begins here
 */
function readPayload(
  bytes: Uint8Array,
  at: number,
  line: number,
  room: number,
): { payload: BinaryPayload; lines: number } | BinaryFault | null {
  const method = hasTextAt(bytes, at, 'delta ')
    ? 'delta'
    : hasTextAt(bytes, at, 'literal ')
      ? 'literal'
      : null
  if (method === null) return null
  const from = lineEnd(bytes, at)
  const size = Number(
    /^[\t\v\f\r ]*\+?(\d+)/.exec(byteText(bytes, at + method.length + 1, Math.min(from, at + 64)))?.[1] ?? 0,
  )
  const found = packedBytes(bytes, from)
  if ('kind' in found) return { ...found, lines: found.lines + 1 }
  const { packed, end } = found
  const lines = found.lines + 1
  // Deflate makes at most 1,032 bytes of one.
  if (size > packed.length * 1032) return damaged(at, 0, 'binary_size_impossible')
  const checked = size <= room
  const hash = method === 'literal' && checked ? createBlobId(size) : null
  if (checked && !inflate(packed, size, (piece) => hash?.update(piece)))
    return damaged(end - 1, lines - 1, 'binary_size_differs')
  return {
    payload: {
      start: at,
      end,
      line,
      method,
      size,
      packedSize: packed.length,
      checked,
      blob: hash?.hex() ?? null,
    },
    lines,
  }
}

/** Both halves of a `GIT binary patch`, the second of which may be missing. @param at the line after those words */
export function readBinary(
  bytes: Uint8Array,
  at: number,
  line: number,
  room: number,
): { forward: BinaryPayload; reverse: BinaryPayload | null; end: number; lines: number } | BinaryFault {
  const forward = readPayload(bytes, at, line, room)
  if (forward === null) return damaged(at, 0, 'binary_without_data')
  if ('kind' in forward) return forward
  const { payload, lines } = forward
  const left = payload.checked ? room - payload.size : room
  const reverse = readPayload(bytes, payload.end, line + lines, left)
  if (reverse === null) return { forward: payload, reverse: null, end: payload.end, lines }
  if ('kind' in reverse) return { ...reverse, lines: reverse.lines + lines }
  return {
    forward: payload,
    reverse: reverse.payload,
    end: reverse.payload.end,
    lines: lines + reverse.lines,
  }
}
