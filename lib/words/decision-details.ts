import type {
  DecisionBadge,
  DecisionBadges,
  InputChange,
  InputChanges,
  PathPass,
  PathPasses,
  RecorderNote,
  RecorderNotes,
} from '../model/messages/decision'
import { textOf, type Catalogue } from './catalogue'
import { subtypeWords, terminationWords } from './decision-values'

/** Why no rule of a stage fired. */
export const PATH_PASSES: Catalogue<PathPasses> = {
  output_unreadable: () => 'Not reached: the output could not be read.',
  nothing_recovered: () => 'Nothing to recover.',
  result_as_printed: () => 'The result is used as printed.',
  decided_by_channel: () => 'Skipped: channel B saw the end and decides alone.',
  content_skipped: ({ termination }) => `Skipped: ${terminationWords(termination)}.`,
  content_skipped_by_error: () => 'Skipped: the process ended with an error.',
  decided_by_content: () => 'The content decides.',
  no_success: ({ termination }) => `Not a success: ${terminationWords(termination)}.`,
  exit_code_stands: () => 'Not a success: the process ended with an error.',
  silent_run_retried: () => 'A run that went silent is retried.',
  no_contradiction: ({ succeeded }) =>
    succeeded ? 'No: it succeeded, and nothing asks for a retry.' : 'No: it did not succeed.',
  no_channel: () => 'Skipped: no channel saw the end, so it stays failed.',
  already_succeeded: () => 'Skipped: it succeeded.',
  already_retried: () => 'Skipped: it is retried already.',
  no_gate_closed: () => 'No gate applies.',
}
export const pathPassText = (pass: PathPass): string => textOf(PATH_PASSES, pass)

const FIELD_WORDS: Record<string, string> = {
  contentState: 'content state',
  outcome: 'outcome',
  retryReason: 'retry reason',
  subtype: 'subtype',
}
export const fieldWords = (field: string): string => FIELD_WORDS[field] ?? field

function failedWhyWords(why: DecisionBadges['failed_complete']['why']): string {
  if (why === 'only_marker') return 'the result contains only the completion marker'
  if (why === 'timed_out') return 'it timed out'
  if (why === 'agent') return 'the agent declared the failure'
  return 'subtype' in why
    ? `the output does not say how it ended (${subtypeWords(why.subtype)})`
    : `it exited with code ${why.exitCode}`
}

/** What each badge says. */
export const DECISION_BADGES: Catalogue<DecisionBadges> = {
  differs: ({ fields }) =>
    `The recorded ${fields.map(fieldWords).join(' and ')} ${fields.length === 1 ? 'differs' : 'differ'} from what the rules give.`,
  channel_only: () =>
    'Channel B saw the end. The result, the exit code and how the process ended were not checked.',
  failed_complete: ({ why }) => `The content state is complete. It failed because ${failedWhyWords(why)}.`,
  retried_violation: () =>
    'Limits, lost output and gates ask for a retry whatever the result is. Only the dead-end guard leaves a contract violation failed.',
  timeout_not_final: ({ succeeded }) =>
    succeeded
      ? 'Without expected patterns, channel B turns even a timed-out run into a success.'
      : 'A run that reached its turn or context limit is resumed even if it timed out.',
  recovered_stale: () =>
    'The run went silent after its result. Its completion marker alone makes it a success; patterns and writes are not checked.',
  synthetic: () => 'A line of the result was generated from a call of the agent. The agent did not print it.',
  zero_writes: () => 'Retries of this gate do not count against the retry budget.',
  contaminated: () =>
    'The history of the source stores the verdict before this gate, so it may reset the count of attempts.',
  exit_forgiven: () => 'The process was stopped after it had delivered, so its exit code does not count.',
}
const BADGE_LABELS: Record<DecisionBadge['id'], string> = {
  differs: 'recorded and recomputed differ',
  channel_only: 'confirmed by channel only',
  failed_complete: 'failed with complete content',
  retried_violation: 'retried with a contract violation',
  timeout_not_final: 'not failed despite the timeout',
  recovered_stale: 'patterns not checked',
  synthetic: 'result partly generated',
  zero_writes: 'retries without limit',
  contaminated: 'history differs',
  exit_forgiven: 'exit code ignored',
}
export const badgeWords = (badge: DecisionBadge): { code: string; label: string; says: string } => ({
  code: badge.id,
  label: BADGE_LABELS[badge.id],
  says: textOf(DECISION_BADGES, badge),
})

const CHANNEL_CHANGES: Record<string, string> = {
  channel_a: 'Channel A confirms the end (a result in the output)',
  channel_b: 'Channel B confirms the end (the agent’s own log)',
  unmonitored: 'No channel confirms the end',
  dir_missing: 'The folder of the agent’s log is missing',
}
/** Inputs as they could have been. */
export const INPUT_CHANGES: Catalogue<InputChanges> = {
  ended_by_itself: () => 'It exits on its own with code 0',
  channel: ({ channel }) => CHANNEL_CHANGES[channel] ?? channel,
  exit_zero: () => 'The exit code is 0',
  exit_one: () => 'The exit code is 1',
  subtype_success: () => 'The result record says success',
  error_cleared: () => 'The result is not an error (is_error is false)',
  error_set: () => 'The result is an error (is_error is true)',
  context_left: () => 'The context is not exhausted',
  text_there: () => 'There is text besides the marker',
  text_blank: () => 'There is no text',
  marker_printed: () => 'The completion marker is printed',
  marker_omitted: () => 'The completion marker is not printed',
  pattern_found: ({ pattern }) => `The pattern ${pattern} is found`,
  pattern_missing: ({ pattern }) => `The pattern ${pattern} is not found`,
  budget_left: () => 'The retry budget is not used up',
  budget_used: () => 'The retry budget is used up',
  paths_inside: () => 'All named paths are inside the working directory',
  file_written: () => 'A file is written',
  nothing_written: () => 'No file is written',
}
export const inputChangeText = (change: InputChange): string => textOf(INPUT_CHANGES, change)

export const RECORDER_NOTES: Catalogue<RecorderNotes> = {
  nothing_failed: () => 'No failure found.',
  verdict: ({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`),
  exit_status_set: ({ failOn }) => `Exit status set to 70 (--fail-on ${failOn}).`,
  exit_status_kept: ({ exitCode }) => `Exit status kept from the command: ${exitCode}.`,
  contract_not_checked: () => 'A recorder checks the contract only with --fail-on contract.',
  exit_code_forgiven: () =>
    'The rules ignore the exit code of a process that was stopped after it had delivered.',
}
export const recorderNoteText = (note: RecorderNote): string => textOf(RECORDER_NOTES, note)
