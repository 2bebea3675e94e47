import { CR, LF } from '../patches/bytes'
import type { SecretRun } from './secret-runs'

const [STAR, AT] = [0x2a, 0x40]
/** What a line of a hunk may begin with, and the header of a hunk hold. */
const SIGNS = new Set([0x20, 0x2b, 0x2d, 0x5c, AT])
const isOfHeader = (byte: number): boolean =>
  byte === AT ||
  byte === 0x20 ||
  byte === 0x2b ||
  byte === 0x2c ||
  byte === 0x2d ||
  (byte >= 0x30 && byte <= 0x39)

/**
 * Puts a star for each byte of the lines that hold a secret, so that every place of the patch stays where it is. The sign of a line stays, what the
 * header of a hunk counts, and line ends: the patch can still be drawn. Bytes are given piece by piece, in order.
 *
 * @param runs in order, whole lines
 * @param start the first byte that is given
 * @returns a function that hides them in a piece, which is changed and handed back
 */
export function hideSecrets(runs: readonly SecretRun[], start: number): (piece: Uint8Array) => Uint8Array {
  let at = start
  let next = runs.findIndex(({ byteEnd }) => byteEnd > start)
  if (next === -1) next = runs.length
  // Where the first byte is inside of a line, nothing of that is taken for its sign.
  let column = (runs[next]?.byteStart ?? start) < start ? 2 : 0
  let ats = 0
  const hidden = (byte: number): number => {
    if (byte === LF) {
      ;[column, ats] = [0, 0]
      return LF
    }
    const place = column++
    if (place === 0) {
      ats = byte === AT ? 1 : 0
      return SIGNS.has(byte) ? byte : STAR
    }
    // `@@ -1,2 +3,4 @@` has four of them; what follows is text of the file.
    if (ats > 0 && ats < 4 && isOfHeader(byte)) {
      if (byte === AT) ats++
      return byte
    }
    ats = 0
    return byte === CR || (place === 1 && byte === 0x20) ? byte : STAR
  }
  return (piece) => {
    const end = at + piece.length
    for (; next < runs.length && runs[next]!.byteStart < end; next++) {
      const { byteStart, byteEnd } = runs[next]!
      if (byteStart >= at) [column, ats] = [0, 0]
      for (let i = Math.max(byteStart, at) - at; i < Math.min(byteEnd, end) - at; i++)
        piece[i] = hidden(piece[i]!)
      if (byteEnd > end) break
    }
    at = end
    return piece
  }
}
