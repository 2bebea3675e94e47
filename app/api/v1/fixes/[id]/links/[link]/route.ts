import { actorOf } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { needsPerson } from '@/app/_server/share-links'
import { revokeFixLink } from '@/db/fixes/fix-links'

/** Revokes a share link. Any reviewer may: whoever made it may be gone. */
export const DELETE = defineRoute<{ action: 'review-fix' }, { id: string; link: string }>(
  '/api/v1/fixes/{id}/links/{link}',
  { action: 'review-fix' },
  async ({ params, access }) => {
    needsPerson(access)
    const { projectId, id: fixId } = await fixParam(access, params.id)
    const link = await revokeFixLink(db().sql, {
      projectId,
      fixId,
      linkId: uuidParam(params.link),
      actor: actorOf(access),
      actorName: access.actor.name,
    })
    if (link === null) throw new Refusal('not-found')
    return json(link)
  },
)
