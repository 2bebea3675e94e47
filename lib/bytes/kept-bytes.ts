import type { RedactionMark, TextMark } from '../text/redaction/finding'

/**
 * Builds the kept bytes of a part: ranges of the original, and texts in place of what was redacted. Nothing is copied
 * until the end, and a part without redactions is a view of the original.
 */
export class KeptBytes {
  readonly marks: RedactionMark[] = []
  private readonly pieces: Uint8Array[] = []
  private length = 0
  private done = 0

  constructor(private readonly original: Uint8Array) {}

  /** Takes over the original up to `end`; returns the offset in the kept bytes behind it. */
  keepUntil(end: number): number {
    if (end > this.done) this.push(this.original.subarray(this.done, end))
    this.done = Math.max(this.done, end)
    return this.length
  }

  /** Puts `bytes` in place of the original up to `end`; `marks` are relative to `bytes`. */
  replaceUntil(end: number, bytes: Uint8Array, marks: readonly RedactionMark[]): number {
    for (const m of marks)
      this.marks.push({
        rule: m.rule,
        byteStart: this.length + m.byteStart,
        byteEnd: this.length + m.byteEnd,
      })
    this.push(bytes)
    this.done = end
    return this.length
  }

  finish(): Uint8Array {
    if (this.pieces.length === 0) return this.original.subarray(0, 0)
    if (this.marks.length === 0) return this.original.subarray(0, this.done)
    const kept = new Uint8Array(this.length)
    let at = 0
    for (const piece of this.pieces) {
      kept.set(piece, at)
      at += piece.length
    }
    return kept
  }

  private push(piece: Uint8Array): void {
    this.pieces.push(piece)
    this.length += piece.length
  }
}

const encoder = new TextEncoder()

/** Byte ranges of marks in the UTF-8 form of a text, found in one walk. */
export function byteMarks(text: string, marks: readonly TextMark[], encode = encodeUtf8): RedactionMark[] {
  let at = 0
  let bytes = 0
  return marks.map((m) => {
    bytes += encode(text.slice(at, m.start)).length
    const byteStart = bytes
    bytes += encode(text.slice(m.start, m.end)).length
    at = m.end
    return { rule: m.rule, byteStart, byteEnd: bytes }
  })
}

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)
