import { actorOf, projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { revokeKey } from '@/db/people/keys'

export const DELETE = defineRoute<{ action: 'manage-keys' }, { id: string }>(
  '/api/v1/keys/{id}',
  { action: 'manage-keys' },
  async ({ params, access }) => {
    const keyId = uuidParam(params.id)
    if (!(await revokeKey(db().sql, { keyId, projectIds: projectIds(access), actor: actorOf(access) })))
      throw new Refusal('not-found')
    return json({ id: keyId })
  },
)
