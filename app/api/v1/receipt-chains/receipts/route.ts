import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { limitParam } from '@/app/_server/params'
import { chainParam } from '@/app/_server/receipt-chain'
import { json } from '@/app/_server/respond'
import { listReceipts } from '@/db/queries/receipt-chains'

export const GET = defineRoute(
  '/api/v1/receipt-chains/receipts',
  { action: 'read' },
  async ({ access, query }) =>
    json(
      await listReceipts(db(), {
        ...chainParam(access, query),
        cursor: query.get('cursor'),
        limit: limitParam(query),
      }),
    ),
)
