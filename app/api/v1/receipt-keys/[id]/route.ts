import { actorOf, projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { removeReceiptKey } from '@/db/sources/receipt-keys'

export const DELETE = defineRoute<{ action: 'manage-keys' }, { id: string }>(
  '/api/v1/receipt-keys/{id}',
  { action: 'manage-keys' },
  async ({ params, access }) => {
    const id = uuidParam(params.id)
    if (!(await removeReceiptKey(db(), { id, projectIds: projectIds(access), actor: actorOf(access) })))
      throw new Refusal('not-found')
    return json({ id })
  },
)
