import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { chainParam } from '@/app/_server/receipt-chain'
import { json, Refusal } from '@/app/_server/respond'
import { verifyReceipts } from '@/db/queries/verify-receipts'

/** The chain, verified anew from its bytes. */
export const GET = defineRoute(
  '/api/v1/receipt-chains/verdict',
  { action: 'read' },
  async ({ request, access, query }) => {
    const { projectIds, chainId } = chainParam(access, query)
    const verdict = await verifyReceipts(db(), projectIds, chainId, request.signal)
    if (verdict === null) throw new Refusal('not-found')
    return json(verdict)
  },
)
