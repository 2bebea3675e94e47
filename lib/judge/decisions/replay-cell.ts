/** Pictures that a cell can be named in: the two policies, or what is stored against the second of them. */
export const MATRICES = ['policies', 'stored'] as const
export type MatrixName = (typeof MATRICES)[number]

export interface Cell {
  matrix: MatrixName
  /** Outcome of its row, and of its column. */
  row: string
  column: string
}

/** How addresses write a cell: `policies.retriable.failed`. */
export const formatCell = ({ matrix, row, column }: Cell): string => `${matrix}.${row}.${column}`

/** Reads what `formatCell` writes; null for anything else. */
export function parseCell(text: string | null | undefined): Cell | null {
  const [, matrix, row, column] = /^(\w+)\.([^.]+)\.([^.]+)$/.exec(text ?? '') ?? []
  return MATRICES.includes(matrix as MatrixName)
    ? { matrix: matrix as MatrixName, row: row!, column: column! }
    : null
}
