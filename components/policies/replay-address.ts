import { formatCell, type Cell } from '@/lib/judge/decisions/replay-cell'
import type { Policy } from '@/lib/judge/decisions/policies'
import { formatFilter } from '@/lib/views/executions/filter'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import { links } from '@/lib/links'

export interface ReplayQuestion {
  filter: ExecutionFilter
  project: string | null
  from: Policy
  to: Policy
  cell: Cell | null
}

/** Where a replay is read; the same question always gives the same text, so that it can be a cache key. */
export const replayAddress = ({ filter, project, from, to, cell }: ReplayQuestion): string =>
  links.api.replay({
    project,
    q: formatFilter(filter),
    from: from.name,
    to: to.name,
    cell: cell && formatCell(cell),
  })
