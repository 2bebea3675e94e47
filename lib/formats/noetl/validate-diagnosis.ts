import { isObject, member } from '../../text/exact-json'
import { doubleOf, isFrom0To1, isNumber } from '../../text/exact-number'
import { isHandleForDiagnosis } from './dispatch-handle'
import { DIAGNOSIS_CATEGORIES, DIAGNOSIS_KEYS, DIAGNOSIS_SOURCES, isOneOf } from '../../model/diagnosis-lists'
import type { DiagnosisState } from '../../model/workflow-facts'

export type DiagnosisCategory = (typeof DIAGNOSIS_CATEGORIES)[number]

export type DiagnosisProblem =
  | 'missing_keys'
  | 'confidence_not_a_number'
  | 'confidence_out_of_range'
  | 'category_not_in_set'
  | 'source_not_in_set'
  | 'root_cause_not_a_string'
  | 'root_cause_empty'
  | 'suggested_action_not_a_string'
  | 'suggested_action_empty'
  | 'not_an_object'

export interface DiagnosisFindings {
  /** All five keys are there, whatever they hold. */
  complete: boolean
  missing: (typeof DIAGNOSIS_KEYS)[number][]
  /** Sorted. */
  problems: DiagnosisProblem[]
  /** What it is grouped by: `unknown` for a word outside the list, which stays visible. */
  groupCategory: DiagnosisCategory
  /** The confidence is a number from 0 to 1. */
  confidenceUsable: boolean
}

/** @param value what the slot holds; undefined when there is no such key */
export function diagnosisState(value: unknown): DiagnosisState {
  if (value === undefined || value === null) return 'absent'
  if (!isObject(value)) return 'malformed'
  if (isCompleteDiagnosis(value)) return 'complete'
  return isHandleForDiagnosis(value) ? 'dispatch_handle' : 'incomplete'
}

export const isCompleteDiagnosis = (value: unknown): boolean =>
  isObject(value) && DIAGNOSIS_KEYS.every((key) => Object.hasOwn(value, key))

const NOT_AN_OBJECT: DiagnosisFindings = {
  complete: false,
  missing: [...DIAGNOSIS_KEYS],
  problems: ['not_an_object'],
  groupCategory: 'unknown',
  confidenceUsable: false,
}

/**
 * What is wrong with a diagnosis. Nothing is repaired: a stored value outside of its range is shown as it is, and flagged.
 *
 * @see docs/parity.md#diagnosis
 */
export function validateDiagnosis(value: unknown): DiagnosisFindings {
  if (!isObject(value)) return NOT_AN_OBJECT
  const missing = DIAGNOSIS_KEYS.filter((key) => !Object.hasOwn(value, key))
  const problems: DiagnosisProblem[] = missing.length > 0 ? ['missing_keys'] : []
  const [category, confidence, cause, action, source] = DIAGNOSIS_KEYS.map((key) => member(value, key))
  if (category !== undefined && !isOneOf(DIAGNOSIS_CATEGORIES, category)) problems.push('category_not_in_set')
  if (source !== undefined && !isOneOf(DIAGNOSIS_SOURCES, source)) problems.push('source_not_in_set')
  const confidenceUsable = isNumber(confidence) && isFrom0To1(confidence)
  if (confidence !== undefined && !isNumber(confidence)) problems.push('confidence_not_a_number')
  else if (confidence !== undefined && !confidenceUsable) problems.push('confidence_out_of_range')
  if (cause !== undefined && typeof cause !== 'string') problems.push('root_cause_not_a_string')
  if (cause === '') problems.push('root_cause_empty')
  if (action !== undefined && typeof action !== 'string') problems.push('suggested_action_not_a_string')
  if (action === '') problems.push('suggested_action_empty')
  return {
    complete: missing.length === 0,
    missing,
    problems: problems.sort(),
    groupCategory: isOneOf(DIAGNOSIS_CATEGORIES, category) ? category : 'unknown',
    confidenceUsable,
  }
}

/** Under this a diagnosis is shown as a guess. */
const LOW_CONFIDENCE = 0.5

/** Whether a diagnosis says itself that it is a guess; null when it says no usable confidence. */
export function hasLowConfidence(diagnosis: unknown): boolean | null {
  const confidence = member(diagnosis, 'confidence')
  return isNumber(confidence) && isFrom0To1(confidence) ? doubleOf(confidence) < LOW_CONFIDENCE : null
}
