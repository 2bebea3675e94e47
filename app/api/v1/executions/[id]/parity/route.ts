import { failureTag } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { readStoredLayers } from '@/db/writes/rederive'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { compareLayers } from '@/lib/parity/compare-layers'

/** Compares what the kept bytes of an execution give now with the rows that are shown of it. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ params, access }) => {
  const { projectIds, id } = await executionParam(access, params.id)
  const stored = await readStoredLayers(db(), projectIds, id, failureTag())
  if (stored === null) throw new Refusal('not-found')
  const { firstCritical, ...compared } = compareLayers(stored.layers)
  const document: ParityDocument = {
    executionId: id, ...compared, firstCritical: firstCritical && { from: firstCritical.from, to: firstCritical.to }, changedParts: stored.changedParts,
  }
  return json(document)
})
