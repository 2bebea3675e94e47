import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { chainParam } from '@/app/_server/receipt-chain'
import { json, Refusal } from '@/app/_server/respond'
import { readReceiptChain } from '@/db/queries/receipt-chains'

export const GET = defineRoute('/api/v1/receipt-chains', { action: 'read' }, async ({ access, query }) => {
  const { projectIds, chainId } = chainParam(access, query)
  const chain = await readReceiptChain(db(), projectIds, chainId)
  if (chain === null) throw new Refusal('not-found')
  return json(chain)
})
