import { actorOf, chooseProject, needsGlobalAdmin } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { changeGlobalAdmin, changeRole, type PersonChange, removePerson } from '@/db/people/people'
import { personChange } from '@/lib/api/admin-schemas'
import { peopleProblemText } from '@/lib/words/server/people'

type Params = { id: string }

function checkOutcome(outcome: PersonChange): void {
  if (outcome === 'not-found') throw new Refusal('not-found')
  if (outcome === 'last-admin') throw new Refusal('in-use', peopleProblemText.lastAdmin)
}

/** Changes the role in a project (`{project, role}`, null takes it away), or who administers everything (`{globalAdmin}`). */
export const PATCH = defineRoute<{ action: 'manage-people' }, Params>(
  '/api/v1/people/{id}',
  { action: 'manage-people' },
  async ({ request, params, access }) => {
    const personId = uuidParam(params.id)
    const change = await readJson(request, personChange)
    const actor = actorOf(access)
    if ('globalAdmin' in change) {
      needsGlobalAdmin(access)
      checkOutcome(
        await changeGlobalAdmin(db().sql, {
          personId,
          globalAdmin: change.globalAdmin,
          projectId: access.projects[0]!.id,
          actor,
        }),
      )
    } else {
      checkOutcome(
        await changeRole(db().sql, {
          personId,
          projectId: chooseProject(access, change.project).id,
          role: change.role,
          actor,
        }),
      )
    }
    return json({ id: personId })
  },
)

export const DELETE = defineRoute<{ action: 'manage-people' }, Params>(
  '/api/v1/people/{id}',
  { action: 'manage-people' },
  async ({ params, access }) => {
    needsGlobalAdmin(access)
    const personId = uuidParam(params.id)
    checkOutcome(
      await removePerson(db().sql, { personId, projectId: access.projects[0]!.id, actor: actorOf(access) }),
    )
    return json({ id: personId })
  },
)
