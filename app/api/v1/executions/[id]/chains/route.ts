import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json } from '@/app/_server/respond'
import { listExecutionChains } from '@/db/queries/chains'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/chains',
  { action: 'read' },
  async ({ params, access }) => {
    const { projectIds, id } = await executionParam(access, params.id)
    return json({ items: await listExecutionChains(db(), projectIds, id), nextCursor: null })
  },
)
