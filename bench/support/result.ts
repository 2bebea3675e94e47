import type { Machine } from './machine'

export type Cell = string | number | null

/** What a bench hands back: printed as a table, and with `--json` as one document. */
export interface BenchResult {
  name: string
  /** What was measured, in one sentence. */
  what: string
  /** What it was compared with, in the same run. */
  reference: string
  budget: string
  /** Null: this run was too small or could not decide. */
  met: boolean | null
  seed: number
  rows: Record<string, Cell>[]
  /** Figures that are not part of the budget: where the time goes, sizes, noise. */
  details: Record<string, Cell>[]
  notes: string[]
}

export interface BenchDocument extends BenchResult {
  at: string
  seconds: number
  machine: Machine
}

export interface BenchContext {
  /** Progress, on standard error. */
  log: (line: string) => void
  machine: Machine
  /** `--size small`: a short look for people who work on the code; never decides about a budget. */
  small: boolean
  /** Ten times the data, where a bench has that. */
  large: boolean
  /** How many rounds were asked for, where a bench lets that be chosen; null: as many as it takes by itself. */
  rounds: number | null
  /** Registers what must be undone, in the opposite order, whether or not the bench ends well. */
  after: (undo: () => Promise<void>) => void
}

export type Bench = (context: BenchContext) => Promise<BenchResult>

const show = (cell: Cell | undefined): string =>
  cell === null || cell === undefined
    ? '–'
    : typeof cell === 'number'
      ? cell.toLocaleString('en-US', { maximumFractionDigits: 3 })
      : cell

/** Rows as aligned text; numbers stand to the right. */
export function formatTable(rows: Record<string, Cell>[]): string {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const widths = heads.map((head) => Math.max(head.length, ...rows.map((row) => show(row[head]).length)))
  const isNumber = heads.map((head) => rows.every((row) => typeof row[head] !== 'string'))
  const line = (cells: string[]): string =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  return [
    line(heads),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(heads.map((head) => show(row[head])))),
  ].join('\n')
}

export function formatResult(doc: BenchDocument): string {
  const { machine: m } = doc
  const verdict = doc.met === null ? 'not decided' : doc.met ? 'met' : 'MISSED'
  return [
    `# ${doc.name}: ${doc.what}`,
    `reference: ${doc.reference}`,
    `machine: ${m.cores} cores (${m.cpu}), ${m.memoryGb} GB, ${m.system}, Node ${m.node}${m.postgres === null ? '' : `, PostgreSQL ${m.postgres}`}; load before ${m.loadBefore}; seed ${doc.seed}`,
    '',
    formatTable(doc.rows),
    ...(doc.details.length === 0 ? [] : ['', formatTable(doc.details)]),
    '',
    ...doc.notes.map((note) => `note: ${note}`),
    `budget: ${doc.budget}: ${verdict}`,
  ].join('\n')
}
