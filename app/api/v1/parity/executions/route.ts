import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { limitParam } from '@/app/_server/params'
import { parityParam } from '@/app/_server/parity-question'
import { json } from '@/app/_server/respond'
import { listParityExecutions } from '@/db/queries/parity-executions'

export const GET = defineRoute('/api/v1/parity/executions', { action: 'read' }, async ({ access, query }) =>
  json(
    await listParityExecutions(db(), {
      projectIds: projectIds(access, query.get('project')),
      ...parityParam(query),
      cursor: query.get('cursor'),
      limit: limitParam(query),
    }),
  ),
)
