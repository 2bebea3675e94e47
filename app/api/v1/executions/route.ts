import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { filterParam } from '@/app/_server/list-params'
import { limitParam } from '@/app/_server/params'
import { json } from '@/app/_server/respond'
import { listExecutions } from '@/db/queries/executions'

export const GET = defineRoute('/api/v1/executions', { action: 'read' }, async ({ access, query }) =>
  json(
    await listExecutions(db(), {
      projectIds: projectIds(access, query.get('project')),
      filter: filterParam(query),
      cursor: query.get('cursor'),
      limit: limitParam(query),
    }),
  ),
)
