import { actorOf, projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { removeMirror } from '@/db/mirrors/mirrors'

export const DELETE = defineRoute<{ action: 'manage-mirrors' }, { id: string }>(
  '/api/v1/mirrors/{id}',
  { action: 'manage-mirrors' },
  async ({ params, access }) => {
    const id = uuidParam(params.id)
    if (!(await removeMirror(db().sql, { id, projectIds: projectIds(access), actor: actorOf(access) })))
      throw new Refusal('not-found')
    return json({ id })
  },
)
