import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { limitParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { listCalls } from '@/db/queries/calls'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/calls',
  { action: 'read' },
  async ({ params, access, query }) => {
    const limit = limitParam(query)
    const failed = query.get('failed')
    if (failed !== null && failed !== '1') throw new Refusal('bad-request', 'failed: must be 1')
    return json(
      await listCalls(db(), {
        ...(await executionParam(access, params.id)),
        failedOnly: failed === '1',
        cursor: query.get('cursor'),
        limit,
      }),
    )
  },
)
