import type { FetchStatistics } from '../judge/diagnosis/fetch-statistics'
import type { RunDiagnosisState } from '../judge/diagnosis/run-diagnosis'
import type { DiagnosisProblem } from '../formats/noetl/validate-diagnosis'
import { DIAGNOSIS_CATEGORIES, type DIAGNOSIS_KEYS, DIAGNOSIS_SOURCES } from '../model/diagnosis-lists'

/** Each state: its name, what it means, and what to do about it. */
export const STATE_WORDS: Record<RunDiagnosisState, { name: string; means: string; next: string }> = {
  none_requested: {
    name: 'None requested',
    means: 'The rows contain no diagnosis, and no diagnosis run is known.',
    next: 'Check the first failing event. To get a diagnosis next time, set on_failure.troubleshoot on the step. If a diagnosis run exists, import it.',
  },
  attempted_nothing_attached: {
    name: 'Attempted, not attached',
    means:
      'A diagnosis run was started, but no diagnosis was saved in the agent’s rows. The engine does not log such failures.',
    next: 'Open the diagnosis run to see where it failed.',
  },
  running: {
    name: 'Running',
    means: 'The diagnosis run has not ended yet.',
    next: 'Wait for it, or import it again. Meanwhile, check the first failing event.',
  },
  handle_only: {
    name: 'Run ID only',
    means: 'Only the ID of the diagnosis run was stored. The engine did not wait for its result.',
    next: 'Open that run to see the diagnosis, if it produced one.',
  },
  incomplete: {
    name: 'Incomplete',
    means: 'The stored value lacks keys of a diagnosis. It is shown as is.',
    next: 'Treat it as a hint, and check the first failing event. The diagnosis run may have the rest.',
  },
  attached: {
    name: 'Attached',
    means: 'The agent’s rows contain a complete diagnosis. It was written by a model and may be wrong.',
    next: 'Check it against the first failing event before acting.',
  },
}

type Key = (typeof DIAGNOSIS_KEYS)[number]

/** The value that a breach of the contract is about; null: the whole. Where keys are missing is said at each of them. */
export const PROBLEM_WORDS: Record<DiagnosisProblem, { key: Key | null; words: string }> = {
  missing_keys: { key: null, words: 'Required keys are missing' },
  not_an_object: { key: null, words: 'Not an object' },
  category_not_in_set: {
    key: 'category',
    words: `not one of ${DIAGNOSIS_CATEGORIES.join(', ')}; grouped as unknown`,
  },
  confidence_not_a_number: { key: 'confidence', words: 'not a number' },
  confidence_out_of_range: { key: 'confidence', words: 'outside 0 to 1; shown as is' },
  root_cause_not_a_string: { key: 'root_cause', words: 'not a string' },
  root_cause_empty: { key: 'root_cause', words: 'empty' },
  suggested_action_not_a_string: { key: 'suggested_action', words: 'not a string' },
  suggested_action_empty: { key: 'suggested_action', words: 'empty' },
  source_not_in_set: { key: 'source', words: `not one of ${DIAGNOSIS_SOURCES.join(', ')}` },
}

export const problemWords = (code: string): { key: Key | null; words: string } =>
  Object.hasOwn(PROBLEM_WORDS, code) ? PROBLEM_WORDS[code as DiagnosisProblem] : { key: null, words: code }

export const KEY_WORDS: Record<Key, string> = {
  category: 'Category',
  confidence: 'Confidence',
  root_cause: 'Root cause',
  suggested_action: 'Suggested action',
  source: 'Source',
}

/** `Fetched on the first poll after 0.064 s of at most 60.0 s; deadline not reached.` */
export function fetchWords({
  pollCount,
  elapsedSeconds,
  deadlineSeconds,
  hitDeadline,
}: FetchStatistics): string {
  const looks =
    pollCount === null
      ? 'Fetched'
      : pollCount === '1'
        ? 'Fetched on the first poll'
        : `Fetched in ${pollCount} polls`
  const time = elapsedSeconds === null ? '' : ` after ${elapsedSeconds} s`
  const most = deadlineSeconds === null ? '' : `${time === '' ? ',' : ' of'} at most ${deadlineSeconds} s`
  const end = hitDeadline === null ? '' : hitDeadline ? '; deadline reached' : '; deadline not reached'
  return `${looks}${time}${most}${end}.`
}
