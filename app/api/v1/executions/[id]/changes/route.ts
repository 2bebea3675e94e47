import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { limitParam } from '@/app/_server/params'
import { json } from '@/app/_server/respond'
import { listChanges } from '@/db/queries/changes'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/changes',
  { action: 'read' },
  async ({ params, access, query }) => {
    const limit = limitParam(query)
    const {
      id,
      projectIds: [projectId],
    } = await executionParam(access, params.id)
    return json(
      await listChanges(db(), { projectId: projectId!, executionId: id, cursor: query.get('cursor'), limit }),
    )
  },
)
