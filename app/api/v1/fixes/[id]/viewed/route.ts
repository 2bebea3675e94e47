import type { Access } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { json, Refusal } from '@/app/_server/respond'
import { listViewedFiles } from '@/db/queries/fix-viewed'
import { markViewedFile } from '@/db/fixes/mark-viewed-file'
import { newViewedMark } from '@/lib/api/fix-schemas'
import { reviewText } from '@/lib/words/server/reviews'

const personOf = (access: Access): string => {
  if (access.actor.kind !== 'person') throw new Refusal('not-allowed', reviewText.keysCantMark)
  return access.actor.id
}

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/viewed',
  { action: 'read' },
  async ({ params, access }) => {
    const { id, projectId } = await fixParam(access, params.id)
    return json({ viewed: await listViewedFiles(db(), { projectId, fixId: id, personId: personOf(access) }) })
  },
)

/** Marks a file as seen, or takes the mark back. */
export const POST = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/viewed',
  { action: 'read' },
  async ({ request, params, access }) => {
    const { id, projectId, executionId } = await fixParam(access, params.id)
    const mark = await readJson(request, newViewedMark)
    const personId = personOf(access)
    await markViewedFile(db().sql, { projectId, executionId, personId, ...mark })
    return json({ viewed: await listViewedFiles(db(), { projectId, fixId: id, personId }) })
  },
)
