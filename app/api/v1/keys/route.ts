import { actorOf, chooseProject, projectIds } from '@/app/_server/access'
import { auth } from '@/app/_server/auth'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json } from '@/app/_server/respond'
import { listKeys } from '@/db/queries/keys'
import { grantKey } from '@/db/people/keys'
import { newKey } from '@/lib/api/admin-schemas'

const DAY_S = 24 * 60 * 60

export const GET = defineRoute('/api/v1/keys', { action: 'manage-keys' }, async ({ access, query }) =>
  json({ items: await listKeys(db().sql, projectIds(access, query.get('project'))), nextCursor: null }),
)

/** Makes a key. The answer is the only place where it is ever shown. */
export const POST = defineRoute('/api/v1/keys', { action: 'manage-keys' }, async ({ request, access }) => {
  const { project: slug, name, scopes, expiresInDays } = await readJson(request, newKey)
  const project = chooseProject(access, slug)
  const made = await auth().api.createApiKey({
    body: {
      name,
      userId: access.actor.id,
      ...(expiresInDays === undefined ? {} : { expiresIn: expiresInDays * DAY_S }),
    },
  })
  const createdBy = access.actor.kind === 'person' ? access.actor.id : null
  await grantKey(db().sql, {
    keyId: made.id,
    projectId: project.id,
    scopes,
    createdBy,
    actor: actorOf(access),
    name,
  })
  const item = (await listKeys(db().sql, [project.id])).find((row) => row.id === made.id)!
  return json({ ...item, key: made.key }, { status: 201 })
})
