import { exactJsonText, isObject, member, type ExactJson } from '../../text/exact-json'
import { runIdOf } from '../../formats/noetl/dispatch-handle'
import {
  hasLowConfidence,
  validateDiagnosis,
  type DiagnosisCategory,
  type DiagnosisProblem,
} from '../../formats/noetl/validate-diagnosis'
import { DIAGNOSIS_KEYS } from '../../model/diagnosis-lists'
import type { DiagnosisState } from '../../model/workflow-facts'

/** What became of the diagnosis of an agent that failed. */
export const RUN_DIAGNOSIS_STATES = [
  'none_requested',
  'attempted_nothing_attached',
  'running',
  'handle_only',
  'incomplete',
  'attached',
] as const
export type RunDiagnosisState = (typeof RUN_DIAGNOSIS_STATES)[number]

/**
 * The state of a diagnosis. Where it failed to come about the envelope is returned as it was, so that only a run that was started to make
 * one tells that it was tried.
 *
 * @param slot     what is where it belongs
 * @param attempts whether the runs that were started to make one still work
 */
export function runDiagnosisState(
  slot: DiagnosisState,
  attempts: readonly { isRunning: boolean }[],
): RunDiagnosisState {
  switch (slot) {
    case 'complete':
      return 'attached'
    case 'incomplete':
    case 'malformed':
      return 'incomplete'
    case 'dispatch_handle':
      return 'handle_only'
    case 'absent':
      if (attempts.length === 0) return 'none_requested'
      return attempts.some(({ isRunning }) => isRunning) ? 'running' : 'attempted_nothing_attached'
  }
}

/** Slots in the order in which they count, where rows of one step hold different ones. */
const SLOTS: readonly DiagnosisState[] = ['complete', 'incomplete', 'malformed', 'dispatch_handle', 'absent']
export const betterSlot = (a: DiagnosisState, b: DiagnosisState): boolean =>
  SLOTS.indexOf(a) < SLOTS.indexOf(b)

/** A diagnosis unchanged, value by value as JSON with all digits, and what is wrong with it. */
export interface DiagnosisValue {
  /** Null: there is no such key. */
  keys: Record<(typeof DIAGNOSIS_KEYS)[number], string | null>
  /** The other ones, in their order. */
  others: { key: string; json: string }[]
  problems: DiagnosisProblem[]
  groupCategory: DiagnosisCategory
  /** It calls itself a guess; null: it says no usable confidence. */
  lowConfidence: boolean | null
  /** The run that it names: the one that was diagnosed, or of a handle the one that was to do it. */
  namesRun: string | null
  /** All of it. */
  json: string
}

const isKnown = (key: string): boolean => (DIAGNOSIS_KEYS as readonly string[]).includes(key)

export function readDiagnosis(value: ExactJson): DiagnosisValue {
  const { problems, groupCategory } = validateDiagnosis(value)
  const textOf = (key: string): string | null => {
    const held = member(value, key)
    return held === undefined ? null : exactJsonText(held)
  }
  return {
    keys: Object.fromEntries(DIAGNOSIS_KEYS.map((key) => [key, textOf(key)])) as DiagnosisValue['keys'],
    others: (isObject(value) ? Object.keys(value) : [])
      .filter((key) => !isKnown(key))
      .map((key) => ({ key, json: textOf(key)! })),
    problems,
    groupCategory,
    lowConfidence: hasLowConfidence(value),
    namesRun: isObject(value) ? runIdOf(value) : null,
    json: exactJsonText(value),
  }
}
