import { v7 } from 'uuid'
import { actorOf, chooseProject, needsGlobalAdmin, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { secret } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { listConnections } from '@/db/queries/connections'
import { createConnection } from '@/db/connections/connections'
import { newConnection, type ConnectionItem } from '@/lib/api/connection-schemas'
import type { Page } from '@/lib/model/page'
import { sourceProblemText } from '@/lib/words/server/sources'

const PRIVATE_NETWORK = sourceProblemText.privateNetwork

export const GET = defineRoute(
  '/api/v1/connections',
  { action: 'manage-sources' },
  async ({ access, query }) =>
    json({
      items: await listConnections(db().sql, projectIds(access, query.get('project'))),
      nextCursor: null,
    } satisfies Page<ConnectionItem>),
)

export const POST = defineRoute(
  '/api/v1/connections',
  { action: 'manage-sources' },
  async ({ request, access }) => {
    const { project: slug, ...given } = await readJson(request, newConnection)
    const project = chooseProject(access, slug)
    // The server then asks addresses that only its own network is meant to reach.
    if (given.allowPrivate === true) needsGlobalAdmin(access, PRIVATE_NETWORK)
    const id = v7()
    if (
      !(await createConnection(db().sql, {
        ...given,
        id,
        projectId: project.id,
        secret: secret(),
        actor: actorOf(access),
      }))
    )
      throw new Refusal('in-use', sourceProblemText.alreadyConnected({ name: given.name }))
    const [item] = await listConnections(db().sql, [project.id], id)
    return json(item, { status: 201 })
  },
)
