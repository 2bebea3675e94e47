import { memberAt } from '../exact-json'
import { classifyValue, type ClassifiedValue } from './classify-value'
import { diagnosisState, hasLowConfidence, type DiagnosisState } from './validate-diagnosis'

/** What a view needs to know of a failure and of its diagnosis, whichever of them is there. */
export interface AttachedDiagnosis {
  state: DiagnosisState
  /** What the envelope is; null without one. */
  envelope: ClassifiedValue | null
  /** The diagnosis calls itself a guess; null when there is none that says a usable confidence. */
  lowConfidence: boolean | null
}

/**
 * The diagnosis of a failure. Where a subsystem is missing (no troubleshooter, no model, no rows) it is absent, and everything else still
 * stands.
 *
 * @param envelope  what the agent step returned, if it is known
 * @param diagnosis what is known of a diagnosis apart from the envelope, such as what a diagnosis run kept; counts where the envelope has
 *                  none
 */
export function attachedDiagnosis({
  envelope = null,
  diagnosis = null,
}: {
  envelope?: unknown
  diagnosis?: unknown
}): AttachedDiagnosis {
  const own = memberAt(envelope, 'error', 'diagnosis') ?? null
  const found = own ?? diagnosis
  const read = envelope === null ? null : classifyValue(envelope)
  return { state: diagnosisState(found), envelope: read, lowConfidence: hasLowConfidence(found) }
}
