import { failureTag } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { checkParity, type CheckDone } from '@/db/writes/check-parity'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { parseExactJson } from '@/lib/exact-json'
import type { FormsCompared } from '@/lib/parity/compare-forms'
import { valuesAt } from '@/lib/parity/difference-values'

/** Differences that are told with what stands there. */
const WITH_VALUES_MAX = 100

/** Compares what the kept bytes of an execution give now with the rows that are shown of it, and stores what was found. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ params, access }) => {
  const { projectIds, id } = await executionParam(access, params.id)
  const check = await checkParity(db(), projectIds, id, { trigger: 'demand', failureTag: failureTag() })
  if (check === null) throw new Refusal('not-found')
  const { stored, compared: { firstCritical, transitions, verdict, worst }, inputs, layers, checkedAt, failedControls } = check
  const document: ParityDocument = {
    executionId: id, checkedAt, verdict, worst, layers, firstCritical: firstCritical && { form: firstCritical.form, from: firstCritical.from, to: firstCritical.to },
    changedParts: stored.changedParts, failedControls: [...failedControls], transitions: transitions.map((transition) => withValues(transition, inputs)),
  }
  return json(document)
})

function withValues(transition: FormsCompared['transitions'][number], inputs: CheckDone['inputs']): ParityDocument['transitions'][number] {
  const read = (name: string) => {
    const result = parseExactJson(inputs.find(({ form, layer }) => form === transition.form && layer === name)?.text ?? '')
    return result.ok ? result.value : null
  }
  if (transition.differences.length === 0) return { ...transition, differences: [] }
  const [left, right] = [read(transition.from), read(transition.to)]
  return { ...transition, differences: transition.differences.map((one, i) => (i < WITH_VALUES_MAX ? { ...one, ...valuesAt(one, left, right) } : one)) }
}
