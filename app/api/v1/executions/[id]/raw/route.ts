import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json } from '@/app/_server/respond'
import { listReceivedParts } from '@/db/queries/received'

/** The kept parts the execution is made of; their digests lead to their bytes. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/raw',
  { action: 'read' },
  async ({ params, access }) => {
    const { id, projectIds } = await executionParam(access, params.id)
    return json({ items: await listReceivedParts(db(), projectIds, id), nextCursor: null })
  },
)
