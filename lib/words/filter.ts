import type { Facet } from '../model/filter-types'
import type { FilterProblem, FilterProblems } from '../model/messages/filter'
import { textOf, type Catalogue } from './catalogue'

/** A value of a facet within a sentence: `“bogus” is not a known failure class`. */
const FACET_VALUES: Partial<Record<Facet, string>> = {
  class: 'failure class',
  state: 'content state',
  reason: 'retry reason',
  help: 'retry verdict',
  decided: 'kind of decision',
  attention: 'value of “attention”',
  differs: 'value of “differs”',
  attempts: 'number of attempts',
  silence: 'receipt problem',
}

/** What of a query could not be read as it was written, or can match nothing. */
export const FILTER_PROBLEM_WORDS: Catalogue<FilterProblems> = {
  query_too_long: ({ chars }) => `The query is longer than ${chars} characters. The rest was ignored.`,
  quote_not_closed: () => 'Missing closing quote.',
  unknown_field: ({ field, known }) => `“${field}” is not a field (${known.join(', ')}). Searched as words.`,
  no_value: ({ field }) => `“${field}:” has no value and was ignored.`,
  unknown_value: ({ value, facet, known }) =>
    `“${value}” is not a known ${FACET_VALUES[facet] ?? facet} (${known.join(', ')}). Nothing matches it.`,
  nothing_to_search: ({ words, listsAll }) =>
    `${words.map((word) => `“${word}”`).join(', ')} ${words.length === 1 ? 'has' : 'have'} no letters or digits and ${words.length === 1 ? 'was' : 'were'} ignored.${listsAll ? ' Showing all executions.' : ''}`,
}

export const filterProblemText = (problem: FilterProblem): string => textOf(FILTER_PROBLEM_WORDS, problem)
