import { diffArrays } from 'diff'
import type { DiffHunk, DiffRow } from './diff-rows'

export type DiffLayout = 'split' | 'unified'

/** A line as it is drawn. A context line has both sides, which differ where white space is ignored. */
export type DrawnLine =
  | { kind: 'context'; old: DiffRow; fresh: DiffRow }
  /** `partner` is the line of the other side that it is compared with word by word. */
  | { kind: 'deleted' | 'added'; row: DiffRow; partner: DiffRow | null }

export interface DrawnHunk {
  lines: DrawnLine[]
  /** Pairs of lines that differ whitespace only and are drawn as unchanged. */
  pairsHidden: number
}

const withoutSpace = (row: DiffRow): string => row.text.replace(/\s+/g, '')

/** Pairs of a block, by their places, that are the same but for white space; none crosses another. */
function samePairs(deleted: readonly DiffRow[], added: readonly DiffRow[]): [number, number][] {
  // What is left out of a long line is not known to be the same.
  const whole = (row: DiffRow, side: string): string =>
    row.bytesLeftOut > 0 ? `${side}${row.line}` : withoutSpace(row)
  const changes = diffArrays(
    deleted.map((row) => whole(row, '-')),
    added.map((row) => whole(row, '+')),
    { maxEditLength: 2_000 },
  )
  const pairs: [number, number][] = []
  let [old, fresh] = [0, 0]
  for (const change of changes ?? []) {
    if (change.removed) old += change.count
    else if (change.added) fresh += change.count
    else for (let i = 0; i < change.count; i++) pairs.push([old++, fresh++])
  }
  return pairs
}

/** Split puts a deleted line beside the added one that took its place; unified keeps the order of the patch. */
function drawBlock(deleted: readonly DiffRow[], added: readonly DiffRow[], layout: DiffLayout): DrawnLine[] {
  const olds = deleted.map(
    (row, index): DrawnLine => ({ kind: 'deleted', row, partner: added[index] ?? null }),
  )
  const news = added.map((row, index): DrawnLine => ({ kind: 'added', row, partner: deleted[index] ?? null }))
  if (layout === 'unified') return [...olds, ...news]
  return Array.from({ length: Math.max(olds.length, news.length) }, (_, i) =>
    [olds[i], news[i]].filter((line) => line !== undefined),
  ).flat()
}

/** The lines of a hunk in the order in which they are drawn. */
export function drawHunk(hunk: DiffHunk, layout: DiffLayout, ignoreSpace: boolean): DrawnHunk {
  const lines: DrawnLine[] = []
  let pairsHidden = 0
  let [deleted, added]: [DiffRow[], DiffRow[]] = [[], []]
  const endBlock = (): void => {
    const same = ignoreSpace && deleted.length > 0 && added.length > 0 ? samePairs(deleted, added) : []
    let [old, fresh] = [0, 0]
    for (const [i, j] of same) {
      lines.push(...drawBlock(deleted.slice(old, i), added.slice(fresh, j), layout), {
        kind: 'context',
        old: deleted[i]!,
        fresh: added[j]!,
      })
      ;[old, fresh] = [i + 1, j + 1]
    }
    pairsHidden += same.length
    lines.push(...drawBlock(deleted.slice(old), added.slice(fresh), layout))
    ;[deleted, added] = [[], []]
  }
  for (const row of hunk.rows) {
    // A deleted line after an added one begins a block of its own: the order of the patch is kept.
    if (row.kind === 'context' || (row.kind === 'deleted' && added.length > 0)) endBlock()
    if (row.kind === 'context') lines.push({ kind: 'context', old: row, fresh: row })
    else (row.kind === 'deleted' ? deleted : added).push(row)
  }
  endBlock()
  return { lines, pairsHidden }
}

/** Slices of at most about `linesMax` lines; lines that are beside each other stay together. */
export function sliceLines(lines: readonly DrawnLine[], linesMax: number): DrawnLine[][] {
  const slices: DrawnLine[][] = []
  for (let start = 0; start < lines.length; ) {
    let end = Math.min(lines.length, start + linesMax)
    if (lines[end - 1]?.kind === 'deleted' && lines[end]?.kind === 'added') end++
    slices.push(lines.slice(start, end))
    start = end
  }
  return slices
}
