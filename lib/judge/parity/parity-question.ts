import {
  CHECK_VERDICTS,
  type CheckVerdict,
  DIFFERENCE_KINDS,
  type DifferenceKind,
  SEVERITIES,
  type Severity,
} from '../../model/parity'

/** How far back checks are looked at. */
export const PARITY_WINDOWS = ['24h', '7d', '30d', 'all'] as const
export type ParityWindow = (typeof PARITY_WINDOWS)[number]

const HOURS: Record<ParityWindow, number | null> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, all: null }

/** A cell of the heat map. */
export interface ParityCell {
  path: string
  from: string
  to: string
}

/** What is asked of the checks that are stored. */
export interface ParityQuestion {
  window: ParityWindow
  /** Empty: all. */
  kinds: DifferenceKind[]
  severities: Severity[]
  /** The verdict of the executions that are listed; with a cell they are different. */
  show: CheckVerdict
  cell: ParityCell | null
}

export type ParityWords = Partial<
  Record<'window' | 'kind' | 'severity' | 'show' | 'path' | 'from' | 'to', string | null>
>

/** Reads what an address asks. What it cannot take falls back, and `problems` says so. */
export function readParityQuestion(asked: ParityWords): { question: ParityQuestion; problems: string[] } {
  const problems: string[] = []
  const one = <T extends string>(
    name: string,
    value: string | null | undefined,
    known: readonly T[],
    fallback: T,
  ): T => {
    if (value == null || value === '') return fallback
    const found = known.find((word) => word === value)
    if (found === undefined) problems.push(`${name}: “${value.slice(0, 80)}” is none of ${known.join(', ')}.`)
    return found ?? fallback
  }
  const some = <T extends string>(
    name: string,
    value: string | null | undefined,
    known: readonly T[],
  ): T[] => {
    const words = (value ?? '').split(',').filter((word) => word !== '')
    const unknown = words.filter((word) => !(known as readonly string[]).includes(word))
    if (unknown.length > 0)
      problems.push(`${name}: “${unknown.join(', ').slice(0, 80)}” is none of ${known.join(', ')}.`)
    return known.filter((word) => words.includes(word))
  }
  const { path, from, to } = asked
  // The whole document has an empty path, which an address may leave out.
  const cell = from && to ? { path: path ?? '', from, to } : null
  const question: ParityQuestion = {
    window: one('window', asked.window, PARITY_WINDOWS, '7d'),
    kinds: some('kind', asked.kind, DIFFERENCE_KINDS),
    severities: some('severity', asked.severity, SEVERITIES),
    show: one('show', asked.show, CHECK_VERDICTS, 'different'),
    cell,
  }
  if (cell === null && (path || from || to)) problems.push('A cell is a path, and the layers from and to.')
  return { question, problems }
}

/** The question as words of an address; what is the default is left out. */
export const parityWords = ({
  window,
  kinds,
  severities,
  show,
  cell,
}: ParityQuestion): Required<ParityWords> => ({
  window: window === '7d' ? null : window,
  kind: kinds.join(',') || null,
  severity: severities.join(',') || null,
  show: show === 'different' || cell ? null : show,
  path: cell?.path || null,
  from: cell?.from ?? null,
  to: cell?.to ?? null,
})

/** The moment from which checks are looked at; null: from the first one. */
export function sinceOf(window: ParityWindow, now: Date): string | null {
  const hours = HOURS[window]
  return hours === null ? null : new Date(now.getTime() - hours * 3_600_000).toISOString()
}
