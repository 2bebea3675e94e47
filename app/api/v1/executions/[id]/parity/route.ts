import { failureTag, secret } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { parityDocument } from '@/app/_server/parity-document'
import { json, Refusal } from '@/app/_server/respond'
import { fetchedLayers } from '@/db/connections/fetched-layers'
import { checkParity } from '@/db/writes/check-parity'

/** Compares the layers of an execution that can be read now, and stores what was found. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/parity',
  { action: 'read' },
  async ({ request, params, access }) => {
    const { projectIds, id } = await executionParam(access, params.id)
    const check = await checkParity(db(), projectIds, id, {
      trigger: 'demand',
      failureTag: failureTag(),
      fetched: (projectId) =>
        fetchedLayers(db().sql, secret(), {
          projectId,
          executionId: id,
          asks: 'demand',
          signal: request.signal,
        }),
    })
    if (check === null) throw new Refusal('not-found')
    return json(parityDocument(id, check))
  },
)
