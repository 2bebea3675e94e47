import { UNKNOWN } from '../judge/decisions/decision'
import { contentStatesOf } from '../model/content-states'
import { MARKED_FACETS, type MarkedFacet } from '../model/filter-types'
import { RETRY_ANSWER_OF } from '../model/advice'
import type { ExecutionSummary } from '../model/summary'
import type { Basis } from '../model/execution'

/**
 * Marks: the values of the marked facets of an execution, each in one word, so that one table and one column serve all of these facets.
 * A failure class is its own mark (`exit_code`), any other value is behind its facet (`state:absent`).
 */
const FACET_PREFIX = new RegExp(`^(${MARKED_FACETS.join('|')}):`)

/** The mark of a value; a class that looks like a mark of another facet is behind its own. `splitMark` reads it back. */
export const markOf = (facet: MarkedFacet, value: string): string =>
  facet === 'class' && !FACET_PREFIX.test(value) ? value : `${facet}:${value}`

/** Facet and value of a mark. */
export function splitMark(mark: string): [facet: MarkedFacet, value: string] {
  const facet = FACET_PREFIX.exec(mark)?.[1]
  return facet === undefined ? ['class', mark] : [facet as MarkedFacet, mark.slice(facet.length + 1)]
}

/** How many attempts a retry chain of executions has, as far as lists distinguish; one alone is no chain. */
export const ATTEMPT_COUNTS = ['2', '3', '4', '5+'] as const

const attemptsMark = (attempts: number): string[] =>
  attempts < 2 ? [] : [markOf('attempts', ATTEMPT_COUNTS[Math.min(attempts, 5) - 2]!)]

/** Attempts of the chain by the marks, which go up to 5. */
export const attemptsOf = (marks: readonly string[]): number =>
  Math.max(
    1,
    ...marks.map(splitMark).map(([facet, value]) => (facet === 'attempts' ? parseInt(value, 10) : 1)),
  )

/** The marks with this number of attempts instead of theirs. */
export const withAttempts = (marks: readonly string[], attempts: number): string[] =>
  [...marks.filter((mark) => splitMark(mark)[0] !== 'attempts'), ...attemptsMark(attempts)].sort()

/**
 * What holds of an execution without a mark of its facet: nearly all are inferred, and a mark for each would be most of all marks.
 * `others` are the values that have marks; the index `executions_inferred_recent` names them in this order.
 */
const UNMARKED: { facet: MarkedFacet; value: Basis; others: readonly Basis[] } = {
  facet: 'decided',
  value: 'inferred',
  others: ['recorded', 'recomputed'],
}

type Marked = Pick<
  ExecutionSummary,
  'attention' | 'counts' | 'decision' | 'advice' | 'outcomeBasis' | 'silence'
>

/**
 * The marks of an execution, sorted, each once. What is unknown makes none, but for whether a retry could help.
 *
 * @param attempts size of its retry chain of executions, itself included
 */
export function marksOf(
  { attention, counts, decision, advice, outcomeBasis, silence }: Marked,
  attempts: number,
): string[] {
  const marksOfFacet = (
    facet: MarkedFacet,
    value: string | null | undefined,
    ...silent: string[]
  ): string[] => (value == null || ['', UNKNOWN, ...silent].includes(value) ? [] : [markOf(facet, value)])
  const classes = Object.entries(counts.failedByClass).filter(([, n]) => (n ?? 0) > 0)
  return [
    ...classes.map(([name]) => markOf('class', name)),
    ...contentStatesOf(decision?.contentState ?? UNKNOWN).flatMap((state) => marksOfFacet('state', state)),
    ...marksOfFacet('reason', decision?.retryReason, 'none'),
    // Of a failure that nobody can tell it of, that is an answer too; without a failure there is none.
    ...(advice ? [markOf('help', RETRY_ANSWER_OF[advice.runRetry])] : []),
    ...marksOfFacet('decided', outcomeBasis, UNMARKED.value),
    ...(attention.needed ? [markOf('attention', 'yes')] : []),
    ...(decision?.differs ? [markOf('differs', 'yes')] : []),
    ...attemptsMark(attempts),
    ...Object.keys(silence?.counts ?? {}).map((kind) => markOf('silence', kind)),
  ].sort()
}

/** Each value of the marked facets that an execution with these marks has. */
export function markedValues(marks: readonly string[]): [facet: MarkedFacet, value: string][] {
  const values = marks.map(splitMark)
  return values.some(([facet]) => facet === UNMARKED.facet)
    ? values
    : [...values, [UNMARKED.facet, UNMARKED.value]]
}

/** The marks by which executions with one of the values are found: a match has one of them, or, where `has` is false, none. */
export function soughtMarks(
  facet: MarkedFacet,
  values: readonly string[],
): { has: boolean; marks: string[] } {
  const has = facet !== UNMARKED.facet || !values.includes(UNMARKED.value)
  const shownValues = has ? values : UNMARKED.others.filter((value) => !values.includes(value))
  return { has, marks: shownValues.map((value) => markOf(facet, value)) }
}

/** Counts of values from counts of marks: of `all` executions, those without a mark of a facet have the value that makes none. */
export function countValues(
  marks: readonly { mark: string; count: number }[],
  all: number,
): { facet: MarkedFacet; value: string; count: number }[] {
  const counts = marks.map(({ mark, count }) => {
    const [facet, value] = splitMark(mark)
    return { facet, value, count }
  })
  const rest = counts.reduce((n, { facet, count }) => (facet === UNMARKED.facet ? n - count : n), all)
  return rest > 0 ? [...counts, { facet: UNMARKED.facet, value: UNMARKED.value, count: rest }] : counts
}
