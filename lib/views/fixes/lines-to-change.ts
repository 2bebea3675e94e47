import type { DiffRow, FileRows } from './diff-rows'
import type { NotEditable } from '../../model/selected-lines'
import type { PatchPosition } from '../../model/patch-position'

/** Lines of the new file as an editor takes them: without their endings. */
export interface LinesToChange {
  start: number
  end: number
  lines: string[]
}

/**
 * The lines that somebody wants to change, or why they cannot be. Of deleted lines, those that were added in their place; where there are none, the
 * line after them.
 *
 * @param masked lines of the patch that hold what looks like a secret
 */
export function linesToChange(
  { hunks }: FileRows,
  lines: PatchPosition['lines'],
  masked: Pick<ReadonlySet<number>, 'has'>,
): LinesToChange | { why: NotEditable } {
  if (lines === null) return { why: 'none-selected' }
  const chosen =
    lines.side === 'new'
      ? lines
      : besideDeleted(
          hunks.map(({ rows }) => rows),
          lines.start,
        )
  if (chosen === null) return { why: 'no-new-lines' }
  const { start, end } = chosen
  for (const { rows } of hunks) {
    const found = rows.filter(({ newLine }) => newLine !== null && newLine >= start && newLine <= end)
    if (found.length === 0 || found.length !== end - start + 1) continue
    const why = found.map((row) => whyNot(row, masked)).find((one) => one !== null)
    return why === undefined
      ? { start, end, lines: found.map(({ text }) => text.replace(/\r$/, '')) }
      : { why }
  }
  return { why: 'several-hunks' }
}

function whyNot(
  { line, text, bytesLeftOut, isLossy }: DiffRow,
  masked: Pick<ReadonlySet<number>, 'has'>,
): NotEditable | null {
  if (masked.has(line)) return 'secret'
  if (isLossy) return 'not-utf8'
  if (bytesLeftOut > 0) return 'too-long'
  return /\r./.test(text) ? 'carriage-return' : null
}

function besideDeleted(
  hunks: readonly (readonly DiffRow[])[],
  oldLine: number,
): { start: number; end: number } | null {
  for (const rows of hunks) {
    const at = rows.findIndex((row) => row.oldLine === oldLine)
    if (at === -1) continue
    const context = rows[at]!.newLine
    if (context !== null) return { start: context, end: context }
    const from = rows.findIndex(({ newLine }, index) => index > at && newLine !== null)
    if (from === -1) return null
    let to = from
    while (rows[from]!.kind === 'added' && rows[to + 1]?.kind === 'added') to++
    return { start: rows[from]!.newLine!, end: rows[to]!.newLine! }
  }
  return null
}
