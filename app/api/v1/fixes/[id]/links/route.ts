import { v7 } from 'uuid'
import { actorOf } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam } from '@/app/_server/fix-access'
import { json, Refusal } from '@/app/_server/respond'
import { needsPerson, newShareLink } from '@/app/_server/share-links'
import { listFixLinks } from '@/db/queries/fix-links'
import { type LinkRefusal, makeFixLink } from '@/db/fixes/fix-links'
import { newFixLink } from '@/lib/api/fix-schemas'
import { sharedPatchText } from '@/lib/words/server/shared-patches'

type Params = { id: string }

export const GET = defineRoute<{ action: 'review-fix' }, Params>(
  '/api/v1/fixes/{id}/links',
  { action: 'review-fix' },
  async ({ params, access }) => {
    needsPerson(access)
    const { projectId, id: fixId } = await fixParam(access, params.id)
    return json({ items: await listFixLinks(db(), { projectId, fixId }), nextCursor: null })
  },
)

/** Makes a link by which people without an account download the patch. The answer is the only place that has its address. */
export const POST = defineRoute<{ action: 'review-fix' }, Params>(
  '/api/v1/fixes/{id}/links',
  { action: 'review-fix' },
  async ({ request, params, access }) => {
    needsPerson(access)
    const about = await fixParam(access, params.id)
    checkBytes(access, about)
    const { url, tokenHash } = newShareLink()
    const made = await makeFixLink(db().sql, {
      id: v7(),
      projectId: about.projectId,
      fixId: about.id,
      tokenHash,
      actor: actorOf(access),
      actorName: access.actor.name,
      ...(await readJson(request, newFixLink)),
    })
    if ('refused' in made) throw refusalFor(made)
    return json({ ...made, url }, { status: 201 })
  },
)

function refusalFor(refusal: LinkRefusal): Refusal {
  switch (refusal.refused) {
    case 'closed':
      return new Refusal('fix-closed', sharedPatchText.fixNotShareable({ state: refusal.state }))
    case 'secret':
      return new Refusal('bad-request', sharedPatchText.acknowledgeSecret)
    case 'secret-hours':
      return new Refusal('bad-request', sharedPatchText.secretHours())
  }
}
