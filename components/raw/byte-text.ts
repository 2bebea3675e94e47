/** A stretch of kept bytes as text. `from` and `to` count bytes in the kept part. */
export interface ByteText {
  text: string
  from: number
  to: number
  marked: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Cuts bytes into text before, inside and after a highlighted range. The range is exact to the byte; where it cuts a character,
 * both halves show the replacement character, as the bytes on each side really are.
 *
 * @param start place of `bytes[0]` in the kept part
 */
export function splitAtRange(
  bytes: Uint8Array,
  start: number,
  range: { byteStart: number; byteEnd: number } | null,
): ByteText[] {
  const end = start + bytes.length
  const cut = (from: number, to: number, marked: boolean): ByteText[] =>
    to > from ? [{ text: decoder.decode(bytes.subarray(from - start, to - start)), from, to, marked }] : []
  if (range === null) return cut(start, end, false)
  const from = clamp(range.byteStart, start, end)
  const to = clamp(range.byteEnd, from, end)
  return [...cut(start, from, false), ...cut(from, to, true), ...cut(to, end, false)]
}

/** The lines around a range: bytes between the line feeds next to it, as far as the given bytes reach. */
export function lineAround(
  bytes: Uint8Array,
  start: number,
  range: { byteStart: number; byteEnd: number },
): { from: number; to: number } {
  const at = clamp(range.byteStart - start, 0, bytes.length)
  const before = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1)
  const after = bytes.indexOf(10, clamp(range.byteEnd - start - 1, at, bytes.length))
  return { from: start + before + 1, to: start + (after < 0 ? bytes.length : after) }
}

/** Offset in the decoded text of a byte offset; both count from the same start. */
export const charOffset = (bytes: Uint8Array, byteOffset: number): number =>
  decoder.decode(bytes.subarray(0, byteOffset)).length

const clamp = (n: number, low: number, high: number): number => Math.min(Math.max(n, low), high)
