import { diffArrays } from 'diff'
import { limits } from '../../limits'
import { sameLine } from '../../judge/patches/image'
import type { LineKind } from '../../judge/patches/read-hunk'
import { rowOf, type DiffHunk, type DiffRow, type FileRows } from './diff-rows'
import {
  asInBase,
  readPatchedLines,
  type PatchedLines,
  type PatchPart,
  type ShownLine,
  type Unplaced,
} from './patched-lines'

/** Which lines of the two patches a row was read from: that of the earlier version, and that of the later one. */
export interface RowOrigin {
  earlier: number | null
  later: number | null
}

/**
 * How a later version of a patch changes one file compared with an earlier one. The old side is the file after the earlier version, the new side the file after the later one; rows are
 * numbered through, since they come from two patches.
 */
export interface Interdiff extends FileRows {
  /** By the number of a row. */
  origins: Map<number, RowOrigin>
  /** Both show a line of the base, and not the same one: they were made for different bases. */
  basesDiffer: boolean
  /** More lines differ than are compared one by one: both versions of such a place are whole. */
  isCoarse: boolean
  /** Why nothing is compared; null when it is. */
  refusal: { version: 'earlier' | 'later'; why: Unplaced } | null
}

const CONTEXT = 3

interface Line {
  kind: LineKind
  shown: ShownLine
  oldLine: number | null
  newLine: number | null
  origin: RowOrigin
}

/** Stretches of the base that one of both versions shows; those that touch are one. */
function regionsOf(a: PatchedLines, b: PatchedLines): { start: number; end: number }[] {
  const regions: { start: number; end: number }[] = []
  for (const { start, end } of [...a.ranges, ...b.ranges].toSorted(
    (x, y) => x.start - y.start || x.end - y.end,
  )) {
    const last = regions.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else regions.push({ start, end })
  }
  return regions
}

/** What is in a stretch of the base after a version; lines that it does not show are those of the base, which the other one shows. */
function linesAfter(
  own: PatchedLines,
  other: PatchedLines,
  { start, end }: { start: number; end: number },
): ShownLine[] {
  const lines: ShownLine[] = []
  for (let at = start; at <= end; at++) {
    for (const one of own.added.get(at) ?? []) lines.push(one)
    if (at === end) break
    const mine = own.base.get(at)
    const line = mine ?? other.base.get(at)
    if (line && (mine === undefined || mine.isKept)) lines.push(line)
  }
  return lines
}

/** By how many lines what is before a stretch moves it; asked for one stretch after the other. */
function movesOf({ ranges }: PatchedLines): (start: number) => number {
  let [next, moved] = [0, 0]
  return (start) => {
    while (next < ranges.length && ranges[next]!.end < start) moved += ranges[next++]!.delta
    return moved
  }
}

/** The steps from one sequence of lines to another; null when that is too much work. */
function stepsBetween(before: ShownLine[], after: ShownLine[]): { kind: LineKind; count: number }[] | null {
  const changes = diffArrays(before, after, {
    comparator: (a, b) => sameLine(a.image, b.image),
    maxEditLength: limits.interdiffEditsMax,
  })
  return (
    changes?.map(({ added, removed, count }) => ({
      kind: added ? 'added' : removed ? 'deleted' : 'context',
      count,
    })) ?? null
  )
}

/** Everything between what both begin and end with, as gone and come. */
function coarseSteps(before: ShownLine[], after: ShownLine[]): { kind: LineKind; count: number }[] {
  const same = (a: ShownLine | undefined, b: ShownLine | undefined): boolean =>
    a !== undefined && b !== undefined && sameLine(a.image, b.image)
  let [head, tail] = [0, 0]
  while (same(before[head], after[head])) head++
  while (
    tail < Math.min(before.length, after.length) - head &&
    same(before.at(-1 - tail), after.at(-1 - tail))
  )
    tail++
  return [
    { kind: 'context', count: head },
    { kind: 'deleted', count: before.length - head - tail },
    { kind: 'added', count: after.length - head - tail },
    { kind: 'context', count: tail },
  ]
}

/** Changed lines with what is around them. */
function hunksOf(lines: readonly Line[]): Line[][] {
  const runs: { start: number; end: number }[] = []
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'context') continue
    const last = runs.at(-1)
    if (last && index - CONTEXT <= last.end + CONTEXT) last.end = index + 1
    else runs.push({ start: index, end: index + 1 })
  }
  return runs.map(({ start, end }) => lines.slice(Math.max(0, start - CONTEXT), end + CONTEXT))
}

function linesOf(
  before: ShownLine[],
  after: ShownLine[],
  steps: readonly { kind: LineKind; count: number }[],
  at: { old: number; new: number },
  isEarlier: (one: ShownLine) => boolean,
): Line[] {
  const lines: Line[] = []
  const originOf = (a: ShownLine | null, b: ShownLine | null): RowOrigin => {
    const shown = [a, b].filter((one) => one !== null)
    const numberOf = (earlier: boolean): number | null => {
      const one = shown.find((line) => isEarlier(line) === earlier)
      return one ? one.line.line + one.part.firstLine - 1 : null
    }
    return { earlier: numberOf(true), later: numberOf(false) }
  }
  let [i, j] = [0, 0]
  for (const { kind, count } of steps)
    for (let step = 0; step < count; step++) {
      const a = kind === 'added' ? null : before[i++]!
      const b = kind === 'deleted' ? null : after[j++]!
      lines.push({
        kind,
        shown: (b ?? a)!,
        oldLine: a && at.old + i - 1,
        newLine: b && at.new + j - 1,
        origin: originOf(a, b),
      })
    }
  return lines
}

const rowFrom = ({ kind, shown: { line, part }, oldLine, newLine }: Line, number: number): DiffRow => ({
  ...rowOf(part.bytes, { ...line, kind, oldLine, newLine }, part.firstLine),
  line: number,
})

/**
 * Compares what two versions of a patch make of one file, by the lines of their common base: within the stretches that one of them shows, the file after the earlier version is compared with
 * the file after the later one; everything else both leave as in the base. Exact where both were made for the same base and their hunks are where they say.
 *
 * @param earlier the section about the file in the earlier patch; null where it has none, and leaves the file as in the base
 * @param later the same of the later patch
 */
export function readInterdiff(earlier: PatchPart | null, later: PatchPart | null): Interdiff {
  const [a, b] = [earlier, later].map((part) => (part === null ? asInBase() : readPatchedLines(part))) as [
    PatchedLines | Unplaced,
    PatchedLines | Unplaced,
  ]
  const found: Interdiff = {
    hunks: [],
    rowsLeftOut: 0,
    problem: null,
    origins: new Map(),
    basesDiffer: false,
    isCoarse: false,
    refusal: null,
  }
  if (typeof a === 'string') return { ...found, refusal: { version: 'earlier', why: a } }
  if (typeof b === 'string') return { ...found, refusal: { version: 'later', why: b } }
  for (const [at, { image }] of a.base)
    found.basesDiffer ||= b.base.has(at) && !sameLine(image, b.base.get(at)!.image)
  const [movedA, movedB] = [movesOf(a), movesOf(b)]
  let rows = 0
  for (const region of regionsOf(a, b)) {
    const [before, after] = [linesAfter(a, b, region), linesAfter(b, a, region)]
    const steps = stepsBetween(before, after)
    found.isCoarse ||= steps === null
    const at = { old: region.start + movedA(region.start), new: region.start + movedB(region.start) }
    for (const lines of hunksOf(
      linesOf(before, after, steps ?? coarseSteps(before, after), at, (one) => one.part === earlier),
    )) {
      const hunk: DiffHunk = { line: rows + 1, ...extentOf(lines), heading: '', rows: [] }
      for (const line of lines) {
        if (rows >= limits.diffRowsMax) found.rowsLeftOut++
        else {
          hunk.rows.push(rowFrom(line, ++rows))
          found.origins.set(rows, line.origin)
        }
      }
      if (hunk.rows.length > 0) found.hunks.push(hunk)
    }
  }
  return found
}

/** Line numbers and counts of a hunk; a side without lines begins at 0. */
function extentOf(lines: readonly Line[]): Pick<DiffHunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'> {
  const olds = lines.filter((line) => line.oldLine !== null)
  const news = lines.filter((line) => line.newLine !== null)
  return {
    oldStart: olds[0]?.oldLine ?? 0,
    oldLines: olds.length,
    newStart: news[0]?.newLine ?? 0,
    newLines: news.length,
  }
}
