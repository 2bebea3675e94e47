import type { Matrix } from '@/lib/judge/decisions/compare-policies'
import { moveOf, type Move } from '@/lib/judge/decisions/move'
import { DECISION_OUTCOMES } from '@/lib/judge/decisions/vocabulary'
import { OUTCOMES } from '@/lib/model/execution'

export interface MatrixCell {
  column: string
  count: number
  move: Move
  /** Of its row. */
  share01: number
}

export interface MatrixRow {
  outcome: string
  total: number
  cells: MatrixCell[]
}

/** The outcomes a verdict can have are always there, so that the picture stands still; others where something has them, newer words last. */
export function matrixRows(matrix: Matrix): { columns: string[]; rows: MatrixRow[] } {
  const rowNames = inOrder([...Object.keys(matrix), ...DECISION_OUTCOMES])
  const columns = inOrder([
    ...Object.values(matrix).flatMap((cells) => Object.keys(cells)),
    ...DECISION_OUTCOMES,
  ])
  const rows = rowNames.map((outcome) => {
    const counts = columns.map((column) => matrix[outcome]?.[column] ?? 0)
    const total = counts.reduce((a, b) => a + b, 0)
    return {
      outcome,
      total,
      cells: columns.map((column, i) => ({
        column,
        count: counts[i]!,
        move: moveOf(outcome, column),
        share01: total === 0 ? 0 : counts[i]! / total,
      })),
    }
  })
  return { columns, rows }
}

const ORDER: readonly string[] = [...DECISION_OUTCOMES, ...OUTCOMES]

const inOrder = (outcomes: string[]): string[] => {
  const place = (outcome: string): number => (ORDER.includes(outcome) ? ORDER.indexOf(outcome) : ORDER.length)
  return [...new Set(outcomes)].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}
