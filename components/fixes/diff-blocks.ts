import type { DiffHunk, FileRows } from '@/lib/views/fixes/diff-rows'
import {
  type DiffLayout,
  drawHunk,
  type DrawnHunk,
  type DrawnLine,
  sliceLines,
} from '@/lib/views/fixes/drawn-lines'
import type { PatchPosition } from '@/lib/model/patch-position'
import { isGenerated } from './file-words'
import type { FixFile, FixFlag } from '@/lib/model/fix'

/** What is below each other in the diff; a long hunk is several slices, so that only what is in sight is drawn. */
export type DiffBlock =
  | { type: 'file'; key: string; file: FixFile; px: number }
  | { type: 'state'; key: string; file: FixFile; px: number }
  | {
      type: 'hunk'
      key: string
      file: FixFile
      hunk: DiffHunk
      index: number
      pairsHidden: number
      px: number
    }
  | {
      type: 'slice'
      key: string
      file: FixFile
      hunk: DiffHunk
      index: number
      lines: DrawnLine[]
      isLast: boolean
      px: number
    }
  | { type: 'end'; key: string; file: FixFile; rowsLeftOut: number; px: number }

const LINES_A_SLICE = 40
const ROW_PX = 20
const OPEN_LINES_MAX = 2_000
const OPEN_FILES_MAX = 30

/** Files that are open at first: the first ones, as far as they are short together. Lock and generated files stay folded unless a flag points at them. */
export function openAtFirst(files: readonly FixFile[], flags: readonly FixFlag[]): Set<number> {
  const flagged = new Set(flags.map((flag) => flag.file))
  const open = new Set<number>()
  let lines = 0
  for (const file of files) {
    const changed = (file.additions ?? 0) + (file.deletions ?? 0)
    if (open.size >= OPEN_FILES_MAX || (lines + changed > OPEN_LINES_MAX && open.size > 0)) break
    if (isGenerated(file.name) && !flagged.has(file.ordinal)) continue
    open.add(file.ordinal)
    lines += changed
  }
  return open
}

export const hasRows = (file: FixFile): boolean => !file.binary && file.hunks > 0

/** A hunk is arranged once for each way of drawing it. */
const arranged = new WeakMap<DiffHunk, Map<string, DrawnHunk & { slices: DrawnLine[][] }>>()
function arrange(
  hunk: DiffHunk,
  layout: DiffLayout,
  ignoreSpace: boolean,
): DrawnHunk & { slices: DrawnLine[][] } {
  const ways = arranged.get(hunk) ?? new Map<string, DrawnHunk & { slices: DrawnLine[][] }>()
  arranged.set(hunk, ways)
  const key = `${layout} ${ignoreSpace}`
  let drawn = ways.get(key)
  if (!drawn) {
    const { lines, pairsHidden } = drawHunk(hunk, layout, ignoreSpace)
    drawn = { lines, pairsHidden, slices: sliceLines(lines, LINES_A_SLICE) }
    ways.set(key, drawn)
  }
  return drawn
}

export function diffBlocks(
  files: readonly FixFile[],
  open: ReadonlySet<number>,
  rows: ReadonlyMap<number, FileRows>,
  { layout, ignoreSpace }: { layout: DiffLayout; ignoreSpace: boolean },
): DiffBlock[] {
  const blocks: DiffBlock[] = []
  for (const file of files) {
    const id = `f${file.ordinal}`
    blocks.push({ type: 'file', key: id, file, px: 60 })
    if (!open.has(file.ordinal) || !hasRows(file)) continue
    const read = rows.get(file.ordinal)
    if (read === undefined) {
      blocks.push({
        type: 'state',
        key: `${id}-state`,
        file,
        px: Math.min(600, ((file.additions ?? 0) + (file.deletions ?? 0)) * ROW_PX + 40),
      })
      continue
    }
    for (const [index, hunk] of read.hunks.entries()) {
      const { slices, pairsHidden } = arrange(hunk, layout, ignoreSpace)
      blocks.push({ type: 'hunk', key: `${id}-h${index}`, file, hunk, index, pairsHidden, px: 28 })
      for (const [at, lines] of slices.entries())
        blocks.push({
          type: 'slice',
          key: `${id}-h${index}-${layout}-${ignoreSpace}-${at}`,
          file,
          hunk,
          index,
          lines,
          isLast: false,
          px: lines.length * ROW_PX,
        })
    }
    const last = blocks.at(-1)!
    if (last.type === 'slice') last.isLast = true
    if (read.rowsLeftOut > 0 || read.problem !== null)
      blocks.push({ type: 'end', key: `${id}-end`, file, rowsLeftOut: read.rowsLeftOut, px: 40 })
  }
  return blocks
}

const linesOf = (line: DrawnLine): { old: number | null; new: number | null } =>
  line.kind === 'context'
    ? { old: line.old.oldLine, new: line.fresh.newLine }
    : line.kind === 'added'
      ? { old: null, new: line.row.newLine }
      : { old: line.row.oldLine, new: null }

/** The block in which a place stands: that of its line, else that of its file; -1 when the file is not there. */
export function blockOf(blocks: readonly DiffBlock[], { file, lines }: PatchPosition): number {
  const exact =
    lines === null
      ? -1
      : blocks.findIndex(
          (block) =>
            block.type === 'slice' &&
            block.file.ordinal === file &&
            block.lines.some((line) => linesOf(line)[lines.side] === lines.start),
        )
  return exact === -1
    ? blocks.findIndex((block) => block.type === 'file' && block.file.ordinal === file)
    : exact
}
