import { limits } from '../../limits'
import { LF } from '../../judge/patches/bytes'
import { imageLine, type ImageLine } from '../../judge/patches/image'
import { hunkLines, type HunkLine } from '../../judge/patches/read-hunk'
import { readAsMade } from '../../judge/patches/read-as-made'

/** The section of a patch that is about one file, with the number of its first line in the patch. */
export interface PatchPart {
  bytes: Uint8Array
  firstLine: number
}

/** A line that a version shows: its bytes, and where its patch has them. */
export interface ShownLine {
  image: ImageLine
  line: HunkLine
  part: PatchPart
}

/** What a version makes of a file, by the lines of its base: `start` up to and without `end`, from 1. */
export interface PatchedLines {
  ranges: { start: number; end: number; delta: number }[]
  /** Lines of the base that the hunks show. */
  base: Map<number, ShownLine & { isKept: boolean }>
  /** Lines that are added before a line of the base. */
  added: Map<number, ShownLine[]>
}

/** Why a version cannot be laid over its base. */
export type Unplaced = 'unreadable' | 'out-of-order' | 'too-long'

/** No patch at all: the file stays as in the base. */
export const asInBase = (): PatchedLines => ({ ranges: [], base: new Map(), added: new Map() })

/** Reads a section by the lines of its base, at which its hunks say that they stand. */
export function readPatchedLines(part: PatchPart): PatchedLines | Unplaced {
  const { bytes } = part
  const patch = readAsMade(bytes)
  if (patch.problem !== null) return 'unreadable'
  const found = asInBase()
  let [reached, count] = [0, 0]
  for (const hunk of patch.sections[0]?.hunks ?? []) {
    const start = hunk.oldLines === 0 ? hunk.oldStart + 1 : Math.max(hunk.oldStart, 1)
    const end = start + hunk.oldLines
    if (start < reached || !Number.isSafeInteger(end + hunk.newLines)) return 'out-of-order'
    found.ranges.push({ start, end, delta: hunk.newLines - hunk.oldLines })
    reached = end
    if ((count += hunk.oldLines + hunk.added) > limits.diffRowsMax) return 'too-long'
    let next = start
    for (const line of hunkLines(bytes, hunk)) {
      // What git applies of an empty context line that lost its blank and its line feed is nothing.
      if (bytes[line.start - 1] === LF && line.start === line.end && line.noNewline) continue
      const shown = { image: imageLine(bytes, line.start, line.next - (line.noNewline ? 1 : 0)), line, part }
      if (line.kind !== 'added') found.base.set(next++, { ...shown, isKept: line.kind === 'context' })
      else if (found.added.has(next)) found.added.get(next)!.push(shown)
      else found.added.set(next, [shown])
    }
  }
  return found
}
