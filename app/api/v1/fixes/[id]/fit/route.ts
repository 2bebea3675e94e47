import { type Access, projectIds } from '@/app/_server/access'
import { mirrorRoots } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { json, Refusal } from '@/app/_server/respond'
import { enqueueFits } from '@/db/queue/enqueue'
import { readFit } from '@/db/queries/fit'
import type { FixFit } from '@/lib/api/fit-schemas'

type Params = { id: string }

async function fitFor(access: Access, value: string): Promise<FixFit> {
  const { id } = await fixParam(access, value)
  const checksIn = access.projects.filter(({ may }) => may('check-fit')).map((project) => project.id)
  const fit = await readFit(db().sql, { projectIds: projectIds(access), id, roots: mirrorRoots(), checksIn })
  if (fit === null) throw new Refusal('not-found')
  return fit
}

export const GET = defineRoute<{ action: 'read' }, Params>(
  '/api/v1/fixes/{id}/fit',
  { action: 'read' },
  async ({ params, access }) => json(await fitFor(access, params.id)),
)

/** Asks for a check in the background. The answer says what prevents it. Nothing is applied anywhere. */
export const POST = defineRoute<{ action: 'check-fit' }, Params>(
  '/api/v1/fixes/{id}/fit',
  { action: 'check-fit' },
  async ({ params, access }) => {
    const { id, projectId } = await fixParam(access, params.id)
    if (!(await fitFor(access, id)).mayCheck) return json(await fitFor(access, id))
    await db().sql.begin((tx) => enqueueFits(tx, projectId, [id]))
    return json(await fitFor(access, id), { status: 202 })
  },
)
