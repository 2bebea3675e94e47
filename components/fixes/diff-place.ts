import type { DiffHunk, FileRows } from '@/lib/views/fixes/diff-rows'
import type { PatchPosition } from '@/lib/model/patch-position'

/** The place of the first changed line of a hunk. */
export function firstChange({ rows }: DiffHunk): NonNullable<PatchPosition['lines']> | null {
  const row = rows.find((one) => one.kind !== 'context') ?? rows[0]
  if (row === undefined) return null
  const side = row.newLine === null ? 'old' : 'new'
  const line = row.newLine ?? row.oldLine ?? 1
  return { side, start: line, end: line }
}

/** The place of a line of the patch, when it is a line of a hunk. */
export function placeOfPatchLine(
  rows: FileRows | undefined,
  line: number,
): NonNullable<PatchPosition['lines']> | null {
  for (const hunk of rows?.hunks ?? []) {
    const row = hunk.rows.find((one) => one.line === line)
    if (row)
      return {
        side: row.newLine === null ? 'old' : 'new',
        start: row.newLine ?? row.oldLine ?? 1,
        end: row.newLine ?? row.oldLine ?? 1,
      }
  }
  return null
}
