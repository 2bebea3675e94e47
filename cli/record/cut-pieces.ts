import { isUtf8 } from 'node:buffer'

/** A piece of output as it is in the document. */
export type Piece = { at: number; text: string } | { at: number; base64: string }

export const pieceBytesMax = 64 * 1024

const LINE_FEED = 0x0a

/**
 * Cuts the output of one channel into pieces of at most 64 KiB: behind the last line end when there is one, else between characters, and never
 * between the first and the last line of a private key, which would be known by neither half. Lines that are no UTF-8 become pieces of their own.
 */
export class PieceCutter {
  private held: Buffer = Buffer.alloc(0)
  private heldAt = 0

  /** Takes output that came at one time; hands back what is ready. */
  push(bytes: Buffer, at: number): Piece[] {
    if (this.held.length === 0) this.heldAt = at
    this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes])
    const pieces: Piece[] = []
    while (this.held.length > pieceBytesMax) {
      pieces.push(...this.take(cutWithin(this.held.subarray(0, pieceBytesMax))))
      this.heldAt = at
    }
    return pieces
  }

  /** The time of the output changes, or it ends: what is held goes, but for the beginning of a character that may still be whole. */
  flush(final = false): Piece[] {
    return this.take(final ? this.held.length : this.held.length - openBytes(this.held))
  }

  private take(length: number): Piece[] {
    if (length === 0) return []
    const piece = this.held.subarray(0, length)
    this.held = this.held.subarray(length)
    return isUtf8(piece)
      ? [{ at: this.heldAt, text: piece.toString('utf8') }]
      : splitByText(piece, this.heldAt)
  }
}

function cutWithin(window: Buffer): number {
  const begin = window.lastIndexOf('-----BEGIN ')
  if (begin > 0 && window.indexOf('-----END ', begin) === -1) {
    const line = window.lastIndexOf(LINE_FEED, begin)
    if (line !== -1) return line + 1
  }
  const line = window.lastIndexOf(LINE_FEED)
  return line === -1 ? window.length - openBytes(window) || window.length : line + 1
}

/** Bytes at the end that begin a character without ending it: 0 to 3. */
function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

/** Runs of lines that are text, and runs of lines that are not. */
function splitByText(bytes: Buffer, at: number): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let runIsText: boolean | null = null
  const close = (end: number): void => {
    if (end === start) return
    const run = bytes.subarray(start, end)
    pieces.push(runIsText ? { at, text: run.toString('utf8') } : { at, base64: run.toString('base64') })
    start = end
  }
  for (let lineStart = 0; lineStart < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, lineStart)
    const lineEnd = feed === -1 ? bytes.length : feed + 1
    const isText = isUtf8(bytes.subarray(lineStart, lineEnd))
    if (isText !== runIsText) close(lineStart)
    runIsText = isText
    lineStart = lineEnd
  }
  close(bytes.length)
  return pieces
}
