import { actorOf, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { changeSource, removeSource } from '@/db/sources/sources'
import { sourceChange } from '@/lib/api/admin-schemas'
import { sourceProblemText } from '@/lib/words/server/sources'

type Params = { id: string }

export const PATCH = defineRoute<{ action: 'manage-sources' }, Params>(
  '/api/v1/sources/{id}',
  { action: 'manage-sources' },
  async ({ request, params, access }) => {
    const id = uuidParam(params.id)
    const { redact } = await readJson(request, sourceChange)
    if (
      !(await changeSource(db().sql, { id, projectIds: projectIds(access), redact, actor: actorOf(access) }))
    )
      throw new Refusal('not-found')
    return json({ id, redact })
  },
)

export const DELETE = defineRoute<{ action: 'manage-sources' }, Params>(
  '/api/v1/sources/{id}',
  { action: 'manage-sources' },
  async ({ params, access }) => {
    const id = uuidParam(params.id)
    const outcome = await removeSource(db().sql, {
      id,
      projectIds: projectIds(access),
      actor: actorOf(access),
    })
    if (outcome === 'not-found') throw new Refusal('not-found')
    if (outcome === 'connected') throw new Refusal('in-use', sourceProblemText.sourceConnected)
    if (outcome === 'has-data') throw new Refusal('in-use', sourceProblemText.sourceHasData)
    return json({ id })
  },
)
