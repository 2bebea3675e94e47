import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { chainParam } from '@/app/_server/receipt-chain'
import { receiptFileResponse } from '@/app/_server/receipt-file'
import { Refusal } from '@/app/_server/respond'
import { readReceiptChain } from '@/db/queries/receipt-chains'

/** The chain as a file that verifies itself. */
export const GET = defineRoute(
  '/api/v1/receipt-chains/export',
  { action: 'read' },
  async ({ request, access, query }) => {
    const { projectIds, chainId } = chainParam(access, query)
    const chain = await readReceiptChain(db(), projectIds, chainId)
    if (chain === null) throw new Refusal('not-found')
    return receiptFileResponse(db(), {
      chains: [chain],
      projectIds,
      executionId: null,
      signal: request.signal,
    })
  },
)
