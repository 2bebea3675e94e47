import { filterProblemText } from '@/lib/words/filter'
import { parseFilter } from '@/lib/views/executions/filter'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import { Refusal } from './respond'

/**
 * `?q=` as a filter. Pages read any text and say what they made of it; a program needs to know that its filter was not understood.
 *
 * @throws Refusal `bad-filter`
 */
export function filterParam(query: URLSearchParams): ExecutionFilter {
  const { filter, problems } = parseFilter(query.get('q') ?? '')
  if (problems.length > 0) throw new Refusal('bad-filter', problems.map(filterProblemText).join(' '))
  return filter
}
