import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { filterParam } from '@/app/_server/list-params'
import { json } from '@/app/_server/respond'
import { listFacets } from '@/db/queries/executions'

export const GET = defineRoute('/api/v1/executions/facets', { action: 'read' }, async ({ access, query }) =>
  json(
    await listFacets(db(), {
      projectIds: projectIds(access, query.get('project')),
      filter: filterParam(query),
    }),
  ),
)
