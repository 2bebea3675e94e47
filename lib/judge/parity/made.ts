import { classifyValue } from '../../formats/noetl/classify-value'
import { rowResult } from '../../formats/noetl/event-row'
import { diagnosisState } from '../../formats/noetl/validate-diagnosis'
import {
  exactJsonText,
  isObject,
  member,
  memberAt,
  type ExactJson,
  type ExactObject,
} from '../../text/exact-json'
import type { FormInput } from './compare-forms'
import type { RunDocument } from './run-document'

/** A diagnosis that a run made and kept of the agent that it was started for, where no row of that agent holds a whole one. */
export interface MadeDiagnosis {
  /** The agent's run. */
  childId: string
  step: string | null
  /** The run that made it, as its source names it. */
  by: string
  diagnosis: ExactJson
}

/**
 * What was made against what the rows of its agent hold, as two layers of one form: the left one is inferred. Rows are at the place that they have in the document of the run, and
 * those of other steps hold nothing. An agent whose reply was captured is left out: what it replied is known.
 *
 * @returns null where no agent has a row that says how it ended; else the runs of those that have
 * @see docs/parity.md#a-diagnosis-that-was-produced-but-never-saved
 */
export function madeForm(
  { document, replies }: Pick<RunDocument, 'document' | 'replies'>,
  made: readonly MadeDiagnosis[],
): { form: FormInput; childIds: Set<string> } | null {
  const events = member(document, 'events')
  const rows = Array.isArray(events) ? events : []
  const agents = rows.map((row) => classifyValue(member(rowResult(row), 'context')))
  const isCaptured = (childId: string): boolean =>
    agents.some(({ executionId }, i) => executionId === childId && replies.has(i))
  const inferred = made.filter(
    ({ childId }) =>
      agents.some(({ executionId, outcome }) => executionId === childId && outcome === 'error') &&
      !isCaptured(childId),
  )
  if (inferred.length === 0) return null
  const holding = (withMade: boolean): string =>
    exactJsonText({
      events: rows.map((row, i): ExactJson => {
        const one =
          agents[i]!.outcome === 'error'
            ? inferred.find(({ childId }) => agents[i]!.executionId === childId)
            : undefined
        const id = member(row, 'event_id')
        const named: ExactObject = id === undefined ? {} : { event_id: id }
        if (one === undefined) return named
        const held = memberAt(rowResult(row), 'context', 'error', 'diagnosis')
        const diagnosis = withMade ? wholeOf(one.diagnosis, held) : held
        return { ...named, result: { context: { error: diagnosis === undefined ? {} : { diagnosis } } } }
      }),
    })
  return {
    form: {
      form: 'made',
      layers: [
        {
          layer: 'made',
          text: holding(true),
          reason: {
            id: 'diagnosis_inferred',
            params: { made: inferred.map(({ by, childId, step }) => ({ by, childId, step })) },
          },
        },
        { layer: 'source', text: holding(false) },
      ],
    },
    childIds: new Set(inferred.map(({ childId }) => childId)),
  }
}

/** Of a part that is stored only what it lacks is reported: who attached it may have changed the rest. */
const wholeOf = (made: ExactJson, held: ExactJson | undefined): ExactJson =>
  diagnosisState(held) === 'incomplete' && isObject(made) && isObject(held) ? { ...made, ...held } : made
