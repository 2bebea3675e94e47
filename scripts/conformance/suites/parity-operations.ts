import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { memberAt, type ExactJson } from '@/lib/text/exact-json'
import { compareLayers, type LayersCompared } from '@/lib/judge/parity/compare-layers'
import type { Difference } from '@/lib/judge/parity/differences'
import { liveStepParity, nestedKeyParity } from '@/lib/judge/parity/nested-key-parity'
import { projectionOf, projectResult } from '../reference/project-result'
import type { Operations } from './exact-cases'

interface Stage {
  stage: string
  text?: string
  file?: string
}

/** What a reader needs to compare the layers of an execution, in the spelling of the recorded cases. */
export const parityOperations: Operations = {
  diff_stages: ({ left, right }, folder) => {
    const { transitions, verdict } = compared([left, right], folder)
    return { differences: transitions[0]?.differences.map(spelled), equal: verdict === 'equal' }
  },
  diff_n_way: ({ stages }, folder) => {
    const { transitions, worst, firstCritical } = compared(stages as unknown[], folder)
    return {
      transitions: transitions.map(({ from, to, differences }) => ({
        from,
        to,
        differences: differences.map(spelled),
      })),
      worst,
      first_critical_transition: firstCritical && `${firstCritical.from}->${firstCritical.to}`,
    }
  },
  nested_key_parity: ({ live, persisted }) => {
    const issues = nestedKeyParity(live as ExactJson, persisted as ExactJson)
    return { issues, ok: issues.length === 0 }
  },
  live_step_parity: ({ document }) => {
    const live = liveStepParity(document as ExactJson)
    if (live.verdict === 'fail') {
      return {
        ...live,
        issues: live.issues.map(({ eventType, ...issue }) => ({ ...issue, event_type: eventType })),
      }
    }
    return {
      verdict: 'pass',
      reason: null,
      issues: [],
      terminal_events: live.terminalEvents,
      comparisons: live.comparisons,
    }
  },
  project_result: ({ response, event_type, generation }) => {
    const result = projectResult(
      response as ExactJson,
      event_type as string,
      projectionOf(generation as string)!,
    )
    return {
      result,
      diagnosis_survives: (memberAt(result, 'context', 'error', 'diagnosis') ?? null) !== null,
    }
  },
}

/** The cases record what differs, not which of our rules decided its kind and severity. */
const spelled = ({ path, kind, severity }: Difference): Omit<Difference, 'rule' | 'kindRule'> => ({
  path,
  kind,
  severity,
})

function compared(stages: unknown[], folder: string): LayersCompared {
  return compareLayers(
    (stages as Stage[]).map(({ stage, text, file }) => ({
      layer: stage,
      text:
        text ?? (file === undefined ? null : gunzipSync(readFileSync(join(folder, file))).toString('utf8')),
    })),
  )
}
