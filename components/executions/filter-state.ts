import { formatFilter, parseFilter, unknownValues, wordlessTerms } from '@/lib/views/executions/filter'
import { filterProblemText } from '@/lib/words/filter'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import { toggleTerm, type Term } from './filter-edit'

/** What is asked for on a page that looks at executions, and the ways to ask otherwise. */
export interface FilterState {
  filter: ExecutionFilter
  /** What of the query could not be read as it was written, or can match nothing. */
  problems: string[]
  /** The query as it was written: in its normal form what could not be read would be lost. */
  text: string
  project: string | null
  setText: (text: string) => void
  setFilter: (next: ExecutionFilter) => void
  toggle: (term: Term) => void
}

export function filterState(
  text: string,
  project: string | null,
  setText: (text: string) => void,
): FilterState {
  const { filter, problems } = parseFilter(text)
  const setFilter = (next: ExecutionFilter): void => setText(formatFilter(next))
  return {
    filter,
    text,
    project,
    setText,
    setFilter,
    problems: [...problems, ...unknownValues(filter), ...wordlessTerms(filter)].map(filterProblemText),
    toggle: (term) => setFilter(toggleTerm(filter, term)),
  }
}
