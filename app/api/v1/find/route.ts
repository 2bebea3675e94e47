import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { findAnyId } from '@/db/queries/find-any-id'
import { limits } from '@/lib/limits'
import { requestText } from '@/lib/words/server/requests'

/** What an id stands for; an empty list means that nothing of this id has arrived yet. */
export const GET = defineRoute('/api/v1/find', { action: 'read' }, async ({ access, query }) => {
  const id = query.get('id')
  if (!id) throw new Refusal('bad-request', requestText.findId)
  if (id.length > limits.findIdCharsMax) throw new Refusal('bad-request', requestText.findIdTooLong())
  return json({
    items: await findAnyId(db(), projectIds(access, query.get('project')), id),
    nextCursor: null,
  })
})
