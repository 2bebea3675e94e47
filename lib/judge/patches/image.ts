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

export function sameLine(a: ImageLine, b: ImageLine): boolean {
  const length = a.end - a.start
  if (a.hash !== b.hash || length !== b.end - b.start) return false
  for (let i = 0; i < length; i++) if (a.source[a.start + i] !== b.source[b.start + i]) return false
  return true
}
