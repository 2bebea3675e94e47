import { CONTENT_STATES, RETRY_REASONS } from '../../judge/decisions/vocabulary'
import { limits } from '../../limits'
import { FACETS, type ExecutionFilter, type Facet } from '../../model/filter-types'
import type { FilterProblem } from '../../model/messages/filter'
import { ATTEMPT_COUNTS } from '../../analysis/marks'
import { queryTokens } from '../../analysis/search-text'
import { BASES, FAILURE_CLASSES, OUTCOMES, RETRY_ANSWERS } from '../../model/execution'
import { SILENCE_KINDS } from '../../model/silence'

const EMPTY_FACETS = (): Record<Facet, string[]> =>
  Object.fromEntries(FACETS.map((f) => [f, []])) as unknown as Record<Facet, string[]>

interface Term {
  field: string | null
  value: string
  /** Nothing of it was in quotes or behind a backslash: it may be more than a plain value. */
  bare: boolean
}

/** What looks like the name of a field, also where we have none by it: with a minus before it other tools exclude. */
const FIELD = /^-?[A-Za-z][\w.-]*$/

const isBlank = (c: string): boolean => /\s/.test(c)

/** Splits a query into terms: `"…"` keeps blanks, `\` takes the next character as it is. A quote that is never closed runs to the end. */
function splitTerms(q: string): { terms: Term[]; open: boolean } {
  const terms: Term[] = []
  let open = false
  let at = 0
  while (at < q.length) {
    if (isBlank(q[at]!)) {
      at++
      continue
    }
    const start = at
    let field: string | null = null
    let value = ''
    let bare = true
    let inQuotes = false
    while (at < q.length && (inQuotes || !isBlank(q[at]!))) {
      const c = q[at]!
      if (c === '\\' && at + 1 < q.length) {
        value += q[++at]!
        bare = false
      } else if (c === '"') {
        inQuotes = !inQuotes
        bare = false
      } else if (c === ':' && !inQuotes && field === null && FIELD.test(q.slice(start, at))) {
        field = value
        value = ''
      } else value += c
      at++
    }
    if (inQuotes) open = true
    terms.push({ field, value, bare })
  }
  return { terms, open }
}

/** `attempts:>2`: each of the numbers above, as far as they are distinguished. */
function alternatives(facet: Facet, { value, bare }: Term): readonly string[] {
  const above = bare && facet === 'attempts' ? /^>([1-4])$/.exec(value)?.[1] : undefined
  return above === undefined ? [value] : ATTEMPT_COUNTS.filter((count) => parseInt(count, 10) > Number(above))
}

const isFacet = (field: string): field is Facet => (FACETS as readonly string[]).includes(field)

const add = (list: string[], value: string): void => {
  if (!list.includes(value)) list.push(value)
}

/**
 * Reads a query such as `outcome:failed class:exit_code repository:"a b" "read first"`. Total: what cannot be read as asked becomes a word
 * to search for, and `problems` says so. Values of one facet are alternatives; the same value twice counts once. `attempts:>1` is short for
 * its values.
 */
export function parseFilter(q: string): { filter: ExecutionFilter; problems: FilterProblem[] } {
  const filter: ExecutionFilter = { facets: EMPTY_FACETS(), words: [] }
  const problems: FilterProblem[] = []
  if (q.length > limits.filterCharsMax)
    problems.push({ id: 'query_too_long', params: { chars: limits.filterCharsMax } })
  const { terms, open } = splitTerms(q.slice(0, limits.filterCharsMax))
  if (open) problems.push({ id: 'quote_not_closed', params: {} })
  for (const term of terms) {
    const { field, value } = term
    if (field === null) {
      if (value !== '') add(filter.words, value)
    } else if (!isFacet(field.toLowerCase())) {
      problems.push({ id: 'unknown_field', params: { field, known: FACETS } })
      add(filter.words, `${field}:${value}`)
    } else if (value === '') {
      problems.push({ id: 'no_value', params: { field } })
    } else {
      const facet = field.toLowerCase() as Facet
      for (const one of alternatives(facet, term)) add(filter.facets[facet], one)
    }
  }
  return { filter, problems }
}

/** Facets whose values are ours, so that one which is not among them is a slip. */
const CLOSED: [Facet, readonly string[]][] = [
  ['outcome', OUTCOMES],
  ['class', FAILURE_CLASSES],
  ['state', CONTENT_STATES],
  ['reason', RETRY_REASONS.filter((reason) => reason !== 'none')],
  ['help', RETRY_ANSWERS],
  ['decided', BASES],
  ['attention', ['yes']],
  ['differs', ['yes']],
  ['attempts', [...ATTEMPT_COUNTS, '>1', '>2', '>3', '>4']],
  ['silence', SILENCE_KINDS],
]

/** What to say about values that no execution can have: the filter is read as it was written, and finds nothing by them. */
export const unknownValues = ({ facets }: ExecutionFilter): FilterProblem[] =>
  CLOSED.flatMap(([facet, known]) =>
    facets[facet]
      .filter((value) => !known.includes(value))
      .map((value) => ({ id: 'unknown_value', params: { value, facet, known } })),
  )

/** Whether a word of a filter is looked for: only letters and digits are. One of signs alone lets every execution through. */
export const isLookedFor = (word: string): boolean => queryTokens([word]).length > 0

/** Whether a filter lets everything through, be it that it asks for nothing or that its words are of signs alone. */
export const looksForNothing = (filter: ExecutionFilter): boolean =>
  isEmptyFilter({ ...filter, words: filter.words.filter(isLookedFor) })

/** What to say about words that hold nothing to look for, and about what is listed then. */
export function wordlessTerms(filter: ExecutionFilter): FilterProblem[] {
  const words = filter.words.filter((word) => !isLookedFor(word))
  return words.length === 0
    ? []
    : [{ id: 'nothing_to_search', params: { words, listsAll: looksForNothing(filter) } }]
}

const escapeQuoted = (text: string): string => text.replace(/["\\]/g, '\\$&')

/** Only what could be read as something else is quoted. */
const written = (value: string, other: RegExp): string =>
  /[\s"\\]/.test(value) || other.test(value) ? `"${escapeQuoted(value)}"` : value

/** Writes a filter as a query; `parseFilter` reads the same filter back. */
export const formatFilter = (filter: ExecutionFilter): string =>
  [
    ...FACETS.flatMap((facet) => filter.facets[facet].map((value) => `${facet}:${written(value, /^>/)}`)),
    ...filter.words.map((word) => written(word, /:/)),
  ].join(' ')

/** A filter that lets everything through. */
export const emptyFilter = (): ExecutionFilter => ({ facets: EMPTY_FACETS(), words: [] })

/** True when nothing is asked for. */
export const isEmptyFilter = (filter: ExecutionFilter): boolean =>
  filter.words.length === 0 && FACETS.every((f) => filter.facets[f].length === 0)

/** The filter with one value of a facet switched on, or off when it was on. */
export const toggleFacet = (filter: ExecutionFilter, facet: Facet, value: string): ExecutionFilter => {
  const values = filter.facets[facet]
  return {
    ...filter,
    facets: {
      ...filter.facets,
      [facet]: values.includes(value) ? values.filter((v) => v !== value) : [...values, value],
    },
  }
}
