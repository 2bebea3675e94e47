import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { receiptFileResponse } from '@/app/_server/receipt-file'
import { Refusal } from '@/app/_server/respond'
import { listReceiptChains } from '@/db/queries/receipt-chains'
import { requestText } from '@/lib/words/server/requests'

/** All chains that hold receipts of the execution, as one file that verifies itself. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/receipt-chains/export',
  { action: 'read' },
  async ({ request, params, access }) => {
    const { projectIds, id } = await executionParam(access, params.id)
    const chains = await listReceiptChains(db(), projectIds, id)
    if (chains.length === 0) throw new Refusal('not-found', requestText.noReceipts)
    return receiptFileResponse(db(), { chains, projectIds, executionId: id, signal: request.signal })
  },
)
