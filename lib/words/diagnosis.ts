import type { FetchStatistics } from '../judge/diagnosis/fetch-statistics'
import type { RunDiagnosisState } from '../judge/diagnosis/run-diagnosis'
import type { DiagnosisProblem } from '../formats/noetl/validate-diagnosis'
import { DIAGNOSIS_CATEGORIES, type DIAGNOSIS_KEYS, DIAGNOSIS_SOURCES } from '../model/diagnosis-lists'

/** Each state: its name, what it means, and what to do about it. */
export const STATE_WORDS: Record<RunDiagnosisState, { name: string; means: string; next: string }> = {
  none_requested: {
    name: 'None requested',
    means: 'The rows hold no diagnosis, and no run that was started to make one is known here.',
    next: 'Read the first failing row. To get a diagnosis next time, set on_failure.troubleshoot at the step; if a run was started to make one, import it.',
  },
  attempted_nothing_attached: {
    name: 'Attempted, nothing attached',
    means:
      'A run was started to make a diagnosis, and no row of the agent holds one. The engine leaves no word of such a failure.',
    next: 'Open the run that was to make it: where it failed, or kept nothing, stands there.',
  },
  running: {
    name: 'Running',
    means: 'A run that was started to make a diagnosis has not ended, as far as its rows are here.',
    next: 'Wait for it, or import it again; meanwhile read the first failing row.',
  },
  handle_only: {
    name: 'Handle only',
    means:
      'In its place stands the acknowledgement that a run was started, and not what that run found: it was not waited for.',
    next: 'Open the run that it names: the diagnosis, if there is one, stands in its rows.',
  },
  incomplete: {
    name: 'Incomplete',
    means: 'In its place stands something that lacks keys of a diagnosis. It is shown as it is.',
    next: 'Take what is there as a hint, and read the first failing row; the run that made it may hold the rest.',
  },
  attached: {
    name: 'Attached',
    means:
      'The rows of the agent hold a diagnosis with all five keys. It is what a model said of the failure, not a proof.',
    next: 'Hold it against the first failing row before acting on it.',
  },
}

type Key = (typeof DIAGNOSIS_KEYS)[number]

/** The value that a breach of the contract is about; null: the whole. Where keys are missing is said at each of them. */
export const PROBLEM_WORDS: Record<DiagnosisProblem, { key: Key | null; words: string }> = {
  missing_keys: { key: null, words: 'Keys of the contract are missing' },
  not_an_object: { key: null, words: 'It is no object' },
  category_not_in_set: {
    key: 'category',
    words: `not one of ${DIAGNOSIS_CATEGORIES.join(', ')}; grouped as unknown`,
  },
  confidence_not_a_number: { key: 'confidence', words: 'not a number' },
  confidence_out_of_range: { key: 'confidence', words: 'outside 0 to 1; shown as it stands' },
  root_cause_not_a_string: { key: 'root_cause', words: 'not a text' },
  root_cause_empty: { key: 'root_cause', words: 'empty' },
  suggested_action_not_a_string: { key: 'suggested_action', words: 'not a text' },
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

/** `Fetched at the first look, after 0.064 of at most 60.0 s.` */
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
        ? 'Fetched at the first look'
        : `Fetched in ${pollCount} looks`
  const time = elapsedSeconds === null ? '' : ` after ${elapsedSeconds} s`
  const most = deadlineSeconds === null ? '' : `${time === '' ? ',' : ' of'} at most ${deadlineSeconds} s`
  const end =
    hitDeadline === null ? '' : hitDeadline ? '; the deadline was reached' : '; the deadline was not reached'
  return `${looks}${time}${most}${end}.`
}
