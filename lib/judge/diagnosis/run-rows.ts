import { member, memberAt, type ExactJson } from '../../text/exact-json'
import { eventTypeOf, isCompletingType } from '../../formats/noetl/event-row'
import { isCompleteDiagnosis } from '../../formats/noetl/validate-diagnosis'

/** The step that keeps a diagnosis, where nothing else is configured. */
export const DIAGNOSIS_STEP = 'persist_diagnosis'

/**
 * The diagnosis that a diagnosis run kept. Of several the last of the list counts, which is the oldest where rows come newest first.
 *
 * @returns null when no row of the step holds all keys; a diagnosis that is kept as text is none
 */
export function findPersistedDiagnosis(rows: readonly ExactJson[], step: string = DIAGNOSIS_STEP): ExactJson {
  for (const row of rows.toReversed()) {
    if (member(row, 'node_name') !== step || !isCompletingType(eventTypeOf(row))) continue
    const diagnosis = memberAt(row, 'result', 'context', 'diagnosis')
    if (diagnosis !== undefined && isCompleteDiagnosis(diagnosis)) return diagnosis
  }
  return null
}
