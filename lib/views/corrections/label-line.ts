import { LABEL_KINDS, type Outcome as LabelOutcome } from '../../model/cause-labels'
import type { Outcome } from '../../model/execution'

/** Outcomes in the words of labels. */
const OUTCOME_OF: Record<Outcome, LabelOutcome> = {
  succeeded: 'succeeded',
  failed: 'failed',
  retriable: 'failed',
  interrupted: 'interrupted',
  cancelled: 'interrupted',
  unknown: 'open',
  running: 'open',
}

/** The outcome of an execution in the words of labels; one that only another version knows is open. */
export const labelOutcome = (outcome: string): LabelOutcome =>
  Object.hasOwn(OUTCOME_OF, outcome) ? OUTCOME_OF[outcome as Outcome] : 'open'

/** A standing correction with what its line of labels needs. */
export interface LabelledCorrection {
  id: string
  executionId: string
  /** Kind of the source, and the file that the execution came from, where it is known. */
  source: string
  fileName: string | null
  externalId: string
  outcome: string
  rule: string | null
  judgedCallId: string | null
  callId: string | null
  reason: string
  by: string
  at: string
}

/**
 * A correction as a line of labels. The person said what to show first and nothing else: `states` names it, and the rest fills the format so
 * that it can be read (any kind, unclear). There is one reader, so both readings are the same one.
 */
export function labelLine(correction: LabelledCorrection): string {
  const { source, fileName, externalId, callId } = correction
  const reading = {
    states: ['first_to_see'],
    outcome: labelOutcome(correction.outcome),
    first_to_see: callId === null ? [] : [callId],
    why: correction.reason,
    headline: '',
    next: '',
    calls: callId === null ? {} : { [callId]: ANY_CALL },
  }
  return JSON.stringify({
    file: `${source}/${fileName ?? `${externalId}.jsonl`}`,
    readings: [reading, reading],
    correction: {
      id: correction.id,
      execution: correction.executionId,
      rule: correction.rule,
      judgedCall: correction.judgedCallId,
      by: correction.by,
      at: correction.at,
    },
  })
}

const ANY_CALL = {
  kind: 'other',
  acceptable: LABEL_KINDS.filter((kind) => kind !== 'other'),
  recovered: 'unclear',
  unchanged_retry: 'unclear',
}
