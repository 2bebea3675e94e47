import { type Access, actorOf } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { readReingest } from '@/db/queries/reingests'
import { stopReingest } from '@/db/rebuild/reingest-job'
import type { ReingestItem } from '@/lib/api/admin-schemas'

async function find(access: Access, id: string): Promise<ReingestItem> {
  const found = await readReingest(
    db().sql,
    access.projects.map((project) => project.id),
    id,
  )
  if (found === null) throw new Refusal('not-found')
  return found
}

/** How far a rebuild is. */
export const GET = defineRoute<{ action: 'reingest' }, { id: string }>(
  '/api/v1/reingest/{id}',
  { action: 'reingest' },
  async ({ access, params }) => json(await find(access, params.id)),
)

/** Stops a rebuild after its current step; one that is over stays as it is. */
export const DELETE = defineRoute<{ action: 'reingest' }, { id: string }>(
  '/api/v1/reingest/{id}',
  { action: 'reingest' },
  async ({ access, params }) => {
    const { id, project } = await find(access, params.id)
    const projectId = access.projects.find(({ slug }) => slug === project)!.id
    await stopReingest(db().sql, { projectId, id }, actorOf(access))
    return json(await find(access, id))
  },
)
