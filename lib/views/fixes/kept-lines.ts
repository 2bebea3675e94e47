import type { DiffRow, FileRows } from './diff-rows'
import type { DiffSide, PatchPosition } from '../../model/patch-position'

type Lines = NonNullable<PatchPosition['lines']>

/** Where a thread was in the version it was opened on, and where that place is now. */
export interface EarlierPlace {
  at: PatchPosition | null
  /** `unread`: the lines of one version could not be read; `whole`: it is about the fix as a whole. */
  standing: 'kept' | 'outdated' | 'reading' | 'unread' | 'whole'
  /** The lines that it was written on, as far as the patch shows them. */
  quote: { row: DiffRow; isMasked: boolean; isHidden: boolean }[]
}

interface SideRow {
  row: DiffRow
  number: number
  base: number
}

/** Rows of one side, each with the line of the base that it is, or is before. */
function rowsOfSide({ hunks }: FileRows, side: DiffSide): SideRow[] {
  const found: SideRow[] = []
  for (const { oldStart, oldLines, rows } of hunks) {
    let base = oldLines === 0 ? oldStart + 1 : Math.max(oldStart, 1)
    for (const row of rows) {
      const number = side === 'old' ? row.oldLine : row.newLine
      if (number !== null) found.push({ row, number, base })
      if (row.oldLine !== null) base = row.oldLine + 1
    }
  }
  return found
}

const isWhole = ({ bytesLeftOut, isLossy }: DiffRow): boolean => bytesLeftOut === 0 && !isLossy

/**
 * Looks for the lines of an earlier version in a later one: the same texts below each other, on the same side, and on the new side still added or still unchanged. Of several the one nearest
 * to the place in the base. Lines without any letter or digit are everywhere: they count only at the same place of the base.
 *
 * @param later null: the later version does not have the file
 * @returns what the place says, as far as the earlier patch shows it, and where it is kept; null when it is not
 */
export function keptLines(
  { side, start, end }: Lines,
  earlier: FileRows,
  later: FileRows | null,
): { quote: DiffRow[]; lines: Lines | null } {
  const wanted = rowsOfSide(earlier, side).filter(({ number }) => number >= start && number <= end)
  const quote = wanted.map(({ row }) => row)
  if (later === null || wanted.length !== end - start + 1 || !quote.every(isWhole))
    return { quote, lines: null }
  const says = quote.some(({ text }) => /[\p{L}\p{N}]/u.test(text))
  const rows = rowsOfSide(later, side)
  const first = wanted[0]!
  const same = (a: SideRow, b: SideRow | undefined, number: number): boolean =>
    b !== undefined &&
    b.number === number &&
    isWhole(b.row) &&
    b.row.text === a.row.text &&
    (side === 'old' || b.row.kind === a.row.kind)
  const [nearest] = rows
    .filter(
      (one, at) =>
        (says || one.base === first.base) &&
        wanted.every((row, i) => same(row, rows[at + i], one.number + i)),
    )
    .toSorted(
      (a, b) =>
        Math.abs(a.base - first.base) - Math.abs(b.base - first.base) ||
        Math.abs(a.number - start) - Math.abs(b.number - start),
    )
  return { quote, lines: nearest ? { side, start: nearest.number, end: nearest.number + end - start } : null }
}
