import { failureTag } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { checkParity } from '@/db/writes/check-parity'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { parseExactJson } from '@/lib/exact-json'
import type { Transition } from '@/lib/parity/compare-layers'
import { valuesAt } from '@/lib/parity/difference-values'
import type { LayerInput } from '@/lib/parity/layers'

/** Differences that are told with what stands there. */
const WITH_VALUES_MAX = 100

/** Compares what the kept bytes of an execution give now with the rows that are shown of it, and stores what was found. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ params, access }) => {
  const { projectIds, id } = await executionParam(access, params.id)
  const check = await checkParity(db(), projectIds, id, { trigger: 'demand', failureTag: failureTag() })
  if (check === null) throw new Refusal('not-found')
  const { stored, compared: { firstCritical, transitions, verdict, worst }, layers, checkedAt, failedControls } = check
  const document: ParityDocument = {
    executionId: id, checkedAt, verdict, worst, layers, firstCritical: firstCritical && { from: firstCritical.from, to: firstCritical.to },
    changedParts: stored.changedParts, failedControls: [...failedControls], transitions: transitions.map((transition) => withValues(transition, stored.layers)),
  }
  return json(document)
})

function withValues(transition: Transition, layers: readonly LayerInput[]): ParityDocument['transitions'][number] {
  const read = (name: string) => {
    const result = parseExactJson(layers.find(({ layer }) => layer === name)?.text ?? '')
    return result.ok ? result.value : null
  }
  if (transition.differences.length === 0) return { ...transition, differences: [] }
  const [left, right] = [read(transition.from), read(transition.to)]
  return { ...transition, differences: transition.differences.map((one, i) => (i < WITH_VALUES_MAX ? { ...one, ...valuesAt(one, left, right) } : one)) }
}
