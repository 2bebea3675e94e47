import type { CheckDone } from '@/db/parity/check-parity'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { parseExactJson, type ExactJson } from '@/lib/text/exact-json'
import { allLayers } from '@/lib/judge/parity/all-layers'
import { valuesAcross, type LayerValues } from '@/lib/judge/parity/difference-values'
import { layerWhy } from '@/lib/words/parity'
import { liveStepParity } from '@/lib/judge/parity/nested-key-parity'

/** Differences that are returned with their values. */
const WITH_VALUES_MAX = 100

/** A check as it is handed out: its differences with what each layer holds there. */
export function parityDocument(executionId: string, check: CheckDone): ParityDocument {
  const {
    stored,
    compared: { firstCritical, transitions, verdict, worst },
    inputs,
    layers,
    versions,
    checkedAt,
    failedControls,
  } = check
  const valuesOf = (form: string): LayerValues =>
    inputs.flatMap((input) => {
      if (
        input.form !== form ||
        layers.some((one) => one.form === form && one.layer === input.layer && one.state !== 'read')
      )
        return []
      const value = exact(input.text)
      return value === undefined ? [] : [[input.layer, value] as const]
    })
  return {
    executionId,
    checkedAt,
    verdict,
    worst,
    layers: allLayers(layers).map((layer) => ({ ...layer, why: layerWhy(layer) })),
    firstCritical: firstCritical && {
      form: firstCritical.form,
      from: firstCritical.from,
      to: firstCritical.to,
    },
    changedParts: stored.changedParts,
    versions,
    retold: versions,
    failedControls: [...failedControls],
    sourceCheck: sourceCheckOf(check),
    transitions: transitions.map((transition) => {
      const { form, from, to, differences } = transition
      if (differences.length === 0) return { ...transition, differences: [] }
      const values = valuesOf(form)
      return {
        ...transition,
        differences: differences.map((one, i) =>
          i < WITH_VALUES_MAX ? { ...one, values: valuesAcross(one, values, from, to) } : one,
        ),
      }
    }),
  }
}

/** What the source's own check would say of the run as it is stored: what every row lost it cannot see. */
function sourceCheckOf({ inputs, stepIssues }: CheckDone): ParityDocument['sourceCheck'] {
  const stored = exact(
    inputs.find(({ form, layer }) => form === 'document' && layer === 'persisted')?.text ?? null,
  )
  if (stored === undefined) return null
  const live = liveStepParity(stored)
  return { verdict: live.verdict, reason: live.verdict === 'fail' ? live.reason : null, issues: stepIssues }
}

function exact(text: string | null): ExactJson | undefined {
  if (text === null) return undefined
  const read = parseExactJson(text)
  return read.ok ? read.value : undefined
}
