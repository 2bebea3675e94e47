import { actorOf, needsGlobalAdmin, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { secret } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { listConnections } from '@/db/queries/connections'
import { changeConnection, removeConnection } from '@/db/connections/connections'
import { connectionChange, type ConnectionChange, type ConnectionItem } from '@/lib/api/connection-schemas'
import { sourceProblemText } from '@/lib/words/server/sources'

type Params = { id: string }

/** Whether the change lets our server ask another place in a private network. */
const reachesIn = (current: ConnectionItem, change: ConnectionChange): boolean => {
  const moves =
    (change.baseUrl !== undefined && change.baseUrl !== current.baseUrl) ||
    typeof change.databaseUrl === 'string'
  return (change.allowPrivate ?? current.allowPrivate) && (moves || !current.allowPrivate)
}

export const PATCH = defineRoute<{ action: 'manage-sources' }, Params>(
  '/api/v1/connections/{id}',
  { action: 'manage-sources' },
  async ({ request, params, access }) => {
    const id = uuidParam(params.id)
    const change = await readJson(request, connectionChange)
    const projects = projectIds(access)
    const [current] = await listConnections(db().sql, projects, id)
    if (current === undefined) throw new Refusal('not-found')
    if (reachesIn(current, change)) needsGlobalAdmin(access, sourceProblemText.privateNetwork)
    const changed = await changeConnection(db().sql, {
      id,
      projectIds: projects,
      secret: secret(),
      actor: actorOf(access),
      change,
    })
    if (changed === 'not-found') throw new Refusal('not-found')
    if (changed === 'needs-header') throw new Refusal('bad-request', sourceProblemText.headerNotResent)
    return json((await listConnections(db().sql, projects, id))[0])
  },
)

export const DELETE = defineRoute<{ action: 'manage-sources' }, Params>(
  '/api/v1/connections/{id}',
  { action: 'manage-sources' },
  async ({ params, access }) => {
    const id = uuidParam(params.id)
    if (!(await removeConnection(db().sql, { id, projectIds: projectIds(access), actor: actorOf(access) })))
      throw new Refusal('not-found')
    return json({ id })
  },
)
