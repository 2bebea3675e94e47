import { formatFilter } from '@/lib/views/executions/filter'
import type { ExecutionFilter } from '@/lib/model/filter-types'

/** Query string of the list in its normal form: the same filter always gives the same text, so that it can be a cache key. */
export function listSearch(filter: ExecutionFilter, project: string | null): string {
  const params = new URLSearchParams()
  const text = formatFilter(filter)
  if (project !== null && project !== '') params.set('project', project)
  if (text !== '') params.set('q', text)
  return params.toString()
}
