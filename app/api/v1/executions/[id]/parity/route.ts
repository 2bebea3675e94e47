import { failureTag } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { readStoredLayers } from '@/db/writes/rederive'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { parseExactJson } from '@/lib/exact-json'
import { compareLayers, type Transition } from '@/lib/parity/compare-layers'
import { runControls } from '@/lib/parity/controls'
import { valuesAt } from '@/lib/parity/difference-values'
import type { LayerInput } from '@/lib/parity/layers'

/** Once for this process: the code that compares does not change while it runs. */
const failedControls = runControls()

/** Differences that are told with what stands there. */
const WITH_VALUES_MAX = 100

/** Compares what the kept bytes of an execution give now with the rows that are shown of it. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ params, access }) => {
  const { projectIds, id } = await executionParam(access, params.id)
  const stored = await readStoredLayers(db(), projectIds, id, failureTag())
  if (stored === null) throw new Refusal('not-found')
  const { firstCritical, transitions, ...compared } = compareLayers(stored.layers)
  const document: ParityDocument = {
    executionId: id, ...compared, firstCritical: firstCritical && { from: firstCritical.from, to: firstCritical.to }, changedParts: stored.changedParts, failedControls,
    transitions: transitions.map((transition) => withValues(transition, stored.layers)),
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
