import type { Facet } from '../filter-types'
import type { MessageOf, NoParams } from '../message'

/** What of a query could not be read as it was written, or can match nothing. */
export interface FilterProblems {
  query_too_long: { chars: number }
  quote_not_closed: NoParams
  unknown_field: { field: string; known: readonly string[] }
  no_value: { field: string }
  unknown_value: { value: string; facet: Facet; known: readonly string[] }
  /** Words without a letter or a digit; `listsAll`: nothing else is asked for. */
  nothing_to_search: { words: readonly string[]; listsAll: boolean }
}
export type FilterProblem = MessageOf<FilterProblems>
