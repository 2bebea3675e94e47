import { v7 } from 'uuid'
import { actorOf, needsGlobalAdmin } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { newLink } from '@/app/_server/links'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { renewLink } from '@/db/people/people'

/** A link by which the person chooses a (new) password. Such a link can take over an account, so it needs a global admin. */
export const POST = defineRoute<{ action: 'manage-people' }, { id: string }>(
  '/api/v1/people/{id}/link',
  { action: 'manage-people' },
  async ({ params, access }) => {
    needsGlobalAdmin(access)
    const personId = uuidParam(params.id)
    const link = newLink()
    const made = await renewLink(db().sql, {
      personId,
      linkId: v7(),
      tokenHash: link.tokenHash,
      minutes: link.minutes,
      projectId: access.projects[0]!.id,
      actor: actorOf(access),
    })
    if (!made) throw new Refusal('not-found')
    return json({ personId, link: link.url, expiresAt: link.expiresAt }, { status: 201 })
  },
)
