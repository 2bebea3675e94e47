import { v7 } from 'uuid'
import { actorOf, chooseProject, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { newLink } from '@/app/_server/links'
import { json, Refusal } from '@/app/_server/respond'
import { listPeople } from '@/db/queries/people'
import { invitePerson } from '@/db/people/people'
import { newPerson } from '@/lib/api/admin-schemas'
import { peopleProblemText } from '@/lib/words/server/people'

export const GET = defineRoute('/api/v1/people', { action: 'manage-people' }, async ({ access, query }) =>
  json({ items: await listPeople(db(), projectIds(access, query.get('project'))), nextCursor: null }),
)

/** Invites a person: answers the link to hand to them. No mail is sent. */
export const POST = defineRoute(
  '/api/v1/people',
  { action: 'manage-people' },
  async ({ request, access }) => {
    const { project: slug, email, name, role, globalAdmin = false } = await readJson(request, newPerson)
    if (globalAdmin && !access.globalAdmin)
      throw new Refusal('not-allowed', peopleProblemText.onlyAdminAddsAdmin)
    const project = chooseProject(access, slug)
    const link = newLink()
    const personId = v7()
    const made = await invitePerson(db().sql, {
      personId,
      linkId: v7(),
      tokenHash: link.tokenHash,
      minutes: link.minutes,
      name: name ?? email.split('@')[0]!,
      email,
      projectId: project.id,
      role,
      globalAdmin,
      actor: actorOf(access),
    })
    if (!made) throw new Refusal('in-use', peopleProblemText.personExists)
    return json({ personId, link: link.url, expiresAt: link.expiresAt }, { status: 201 })
  },
)
