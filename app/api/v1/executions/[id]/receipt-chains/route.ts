import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json } from '@/app/_server/respond'
import { listReceiptChains } from '@/db/queries/receipt-chains'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/receipt-chains',
  { action: 'read' },
  async ({ params, access }) => {
    const { projectIds, id } = await executionParam(access, params.id)
    return json({ items: await listReceiptChains(db(), projectIds, id), nextCursor: null })
  },
)
