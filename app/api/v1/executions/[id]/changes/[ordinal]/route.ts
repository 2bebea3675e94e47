import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { readChangeAt } from '@/db/queries/changes'

/** A change with its lines, put together from the transcript. */
export const GET = defineRoute<{ action: 'read' }, { id: string; ordinal: string }>(
  '/api/v1/executions/{id}/changes/{ordinal}',
  { action: 'read' },
  async ({ params, access }) => {
    const {
      id,
      projectIds: [projectId],
    } = await executionParam(access, params.id)
    const change = /^\d{1,9}$/.test(params.ordinal)
      ? await readChangeAt(db(), projectId!, id, Number(params.ordinal))
      : null
    if (change === null) throw new Refusal('not-found')
    return json(change)
  },
)
