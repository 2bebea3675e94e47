import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { readExecution } from '@/db/queries/execution'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}',
  { action: 'read' },
  async ({ params, access }) => {
    const execution = await readExecution(db(), projectIds(access), uuidParam(params.id))
    if (!execution) throw new Refusal('not-found')
    return json(execution)
  },
)
