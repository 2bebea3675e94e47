import { LF } from './bytes'

/** A line of a file, with its line feed if it has one. */
export interface ImageLine {
  source: Uint8Array
  start: number
  end: number
  /** Of its bytes: lines that differ in it differ. */
  hash: number
  /** Written by an earlier hunk: git lets no further hunk touch it. */
  patched: boolean
}

export function imageLine(source: Uint8Array, start: number, end: number, patched = false): ImageLine {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ source[at]!, 0x01000193)
  return { source, start, end, hash, patched }
}

/** The lines of a file. */
export function imageOf(bytes: Uint8Array): ImageLine[] {
  const lines: ImageLine[] = []
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(LF, at)
    const end = feed === -1 ? bytes.length : feed + 1
    lines.push(imageLine(bytes, at, end))
    at = end
  }
  return lines
}

export function sameLine(a: ImageLine, b: ImageLine): boolean {
  const length = a.end - a.start
  if (a.hash !== b.hash || length !== b.end - b.start) return false
  for (let i = 0; i < length; i++) if (a.source[a.start + i] !== b.source[b.start + i]) return false
  return true
}

/** The bytes of lines that follow each other. */
export function joinLines(lines: readonly ImageLine[]): Uint8Array {
  const whole = new Uint8Array(lines.reduce((size, line) => size + line.end - line.start, 0))
  let at = 0
  for (const { source, start, end } of lines) {
    whole.set(source.subarray(start, end), at)
    at += end - start
  }
  return whole
}
