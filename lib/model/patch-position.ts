export type DiffSide = 'old' | 'new'

/** A file of a patch by its place, and lines of one side of it. */
export interface PatchPosition {
  file: number
  lines: { side: DiffSide; start: number; end: number } | null
}

/** The fragment of an address: `file-3`, `file-3-new-120`, `file-3-old-7-12`; files count from 1. */
export const formatPosition = ({ file, lines }: PatchPosition): string =>
  `file-${file + 1}${lines === null ? '' : `-${lines.side}-${lines.start}${lines.end === lines.start ? '' : `-${lines.end}`}`}`

/** Reads a fragment; null when it names no place of a patch. */
export function parsePosition(fragment: string): PatchPosition | null {
  const match = /^#?file-([1-9]\d{0,8})(?:-(old|new)-(\d{1,15})(?:-(\d{1,15}))?)?$/.exec(fragment)
  if (!match) return null
  const [, file, side, from, to] = match
  if (side === undefined || from === undefined) return { file: Number(file) - 1, lines: null }
  const [a, b] = [Number(from), Number(to ?? from)]
  return {
    file: Number(file) - 1,
    lines: { side: side as DiffSide, start: Math.min(a, b), end: Math.max(a, b) },
  }
}
