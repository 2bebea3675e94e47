import { isObject, member, type ExactObject } from '../../text/exact-json'
import { integerDigits, isInteger, isNumber, numberText } from '../../text/exact-number'
import { DIAGNOSIS_KEYS, IN_FLIGHT_STATUSES, isOneOf } from '../../model/diagnosis-lists'

/** The id of the run that an object names, its digits as text, or an integer as it is written where its digits are too many; null when it names none. */
export function runIdOf(value: ExactObject): string | null {
  const id = member(value, 'execution_id')
  if (typeof id === 'string') return id.trim() === '' ? null : id
  return isNumber(id) && isInteger(id) ? (integerDigits(id) ?? numberText(id)) : null
}

/** A status word as it is compared; null for what is no text. */
export const statusWord = (status: unknown): string | null =>
  typeof status === 'string' ? status.trim().toLowerCase() : null

/**
 * Whether a value only acknowledges that a run was started: the reply of an execute call, a status of a run that still works, or either
 * in the wrapper of the plugin. Envelopes and diagnoses carry ids too and are none.
 *
 * @see docs/parity.md#handles
 */
export function isDispatchHandle(value: unknown): value is ExactObject {
  // Wrappers are opened in a loop: each may hold another.
  for (let one: unknown = value; isObject(one); one = member(one, 'data')) {
    if (runIdOf(one) === null || NO_HANDLE_KEYS.some((key) => Object.hasOwn(one as ExactObject, key)))
      return false
    const status = statusWord(member(one, 'status'))
    if (isOneOf(IN_FLIGHT_STATUSES, status) && hasNotEnded(one)) return true
    if (isNumber(member(one, 'commands_generated')) && isMissing(one, 'result')) return true
    if (status !== 'success' && status !== 'ok') return false
  }
  return false
}

/** The looser test for the place of a diagnosis: an object that names a run and has nothing of a diagnosis. */
export const isHandleForDiagnosis = (value: unknown): value is ExactObject =>
  isObject(value) && runIdOf(value) !== null && DIAGNOSIS_KEYS.every((key) => !Object.hasOwn(value, key))

const NO_HANDLE_KEYS = ['framework', 'diagnosis', 'category']

const isMissing = (value: ExactObject, key: string): boolean => (member(value, key) ?? null) === null

const hasNotEnded = (value: ExactObject): boolean =>
  ['result', 'end_time', 'completed_at'].every((key) => isMissing(value, key)) &&
  ['completed', 'failed'].every((key) => member(value, key) !== true)
