import type { Access } from '@/app/_server/access'
import { failureTag, secret } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { parityDocument } from '@/app/_server/parity-document'
import { json, Refusal } from '@/app/_server/respond'
import { fetchedLayers } from '@/db/connections/fetched-layers'
import { checkParity } from '@/db/parity/check-parity'

/** Compares the layers of an execution that can be read now. */
async function compare(
  { request, params, access }: { request: Request; params: { id: string }; access: Access },
  unstored: boolean,
): Promise<Response> {
  const { projectIds, id } = await executionParam(access, params.id)
  const check = await checkParity(db(), projectIds, id, {
    trigger: 'demand',
    unstored,
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
}

/** Compares and writes nothing. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/parity',
  { action: 'read' },
  (input) => compare(input, true),
)

/** Compares and stores the check, which is the newest one of the execution then. */
export const POST = defineRoute<{ action: 'check-parity' }, { id: string }>(
  '/api/v1/executions/{id}/parity',
  { action: 'check-parity' },
  (input) => compare(input, false),
)
