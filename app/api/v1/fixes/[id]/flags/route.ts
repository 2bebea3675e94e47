import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { limitParam, uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { listFixFlags } from '@/db/queries/fix'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/flags',
  { action: 'read' },
  async ({ params, access, query }) => {
    const page = await listFixFlags(db(), {
      projectIds: projectIds(access),
      id: uuidParam(params.id),
      cursor: query.get('cursor'),
      limit: limitParam(query),
    })
    if (page === null) throw new Refusal('not-found')
    return json(page)
  },
)
