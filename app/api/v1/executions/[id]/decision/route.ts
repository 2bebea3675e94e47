import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { readDecision } from '@/db/queries/decision'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/decision',
  { action: 'read' },
  async ({ params, access }) => {
    const { projectIds, id } = await executionParam(access, params.id)
    const decision = await readDecision(db(), projectIds, id)
    if (decision === null) throw new Refusal('not-found')
    return json(decision)
  },
)
