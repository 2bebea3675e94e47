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
  nothing_recovered: () => 'Nothing is put together.',
  result_as_printed: () => 'The result is taken as it came.',
  decided_by_channel: () => 'Not asked: channel B saw the end, and decides alone.',
  content_skipped: ({ termination }) => `Not asked: ${terminationWords(termination)}.`,
  content_skipped_by_error: () => 'Not asked: the process ended with an error before its output could count.',
  decided_by_content: () => 'The content decides.',
  no_success: ({ termination }) => `No success: ${terminationWords(termination)}.`,
  exit_code_stands: () => 'No success: the process ended with an error, and nothing forgives it.',
  silent_run_retried: () => 'A run that went silent is tried again.',
  no_contradiction: ({ succeeded }) =>
    succeeded ? 'No: it succeeded, and nothing asks for another attempt.' : 'No: it did not succeed.',
  no_channel: () => 'Not asked: no channel saw the end, so the failure stands.',
  already_succeeded: () => 'Not asked: it succeeded.',
  already_retried: () => 'Not asked: another attempt is made already.',
  no_gate_closed: () => 'No gate closed.',
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
  if (why === 'only_marker') return 'holding nothing but the completion marker'
  if (why === 'timed_out') return 'running out of time'
  if (why === 'agent') return 'what the agent said of itself'
  return 'subtype' in why
    ? `an output that does not say how it ended (${subtypeWords(why.subtype)})`
    : `its exit code ${why.exitCode}`
}

/** What each badge says. */
export const DECISION_BADGES: Catalogue<DecisionBadges> = {
  differs: ({ fields }) =>
    `The source recorded another ${fields.map(fieldWords).join(', ')} than the rules give.`,
  channel_only: () =>
    'Channel B saw the end, and nothing else was asked: not the content, the exit code or how the process ended.',
  failed_complete: ({ why }) =>
    `Everything that was asked for is there; it failed for ${failedWhyWords(why)}.`,
  retried_violation: () =>
    'Limits, lost output and gates ask for another attempt whatever the content is; that a contract violation is not retried holds for the dead-end guard alone.',
  timeout_not_final: ({ succeeded }) =>
    succeeded
      ? 'A channel without patterns makes a success also of a run whose time was up.'
      : 'A run that reached its limits is resumed also when its time was up.',
  recovered_stale: () =>
    'A run that went silent after its result is a success by its marker alone: expected patterns and writes are not looked at.',
  synthetic: () => 'A line of the result was made from a call of the agent: it did not print it itself.',
  zero_writes: () => 'This gate is not counted against the retry budget.',
  contaminated: () =>
    'The history of the source keeps the verdict in front of this gate: one that asked for no other attempt begins the count of attempts anew.',
  exit_forgiven: () => 'The process was stopped after it had delivered: its exit code does not count.',
}
const BADGE_LABELS: Record<DecisionBadge['id'], string> = {
  differs: 'recorded and recomputed differ',
  channel_only: 'confirmed by channel only',
  failed_complete: 'failed with complete content',
  retried_violation: 'retried with a contract violation',
  timeout_not_final: 'not final although its time was up',
  recovered_stale: 'patterns not asked',
  synthetic: 'result partly synthetic',
  zero_writes: 'repeats without limit',
  contaminated: 'kept as another verdict',
  exit_forgiven: 'exit code forgiven',
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
  ended_by_itself: () => 'It ends by itself, with exit code 0',
  channel: ({ channel }) => CHANNEL_CHANGES[channel] ?? channel,
  exit_zero: () => 'The exit code is 0',
  exit_one: () => 'The exit code is 1',
  subtype_success: () => 'The result record says success',
  error_cleared: () => 'The result is no error (is_error is false)',
  error_set: () => 'The result is an error (is_error is true)',
  context_left: () => 'The context is not exhausted',
  text_there: () => 'There is text, besides any marker',
  text_blank: () => 'There is no text',
  marker_printed: () => 'The completion marker is printed',
  marker_omitted: () => 'The completion marker is not printed',
  pattern_found: ({ pattern }) => `The pattern ${pattern} is found`,
  pattern_missing: ({ pattern }) => `The pattern ${pattern} is not found`,
  budget_left: () => 'The retry budget is not used up',
  budget_used: () => 'The retry budget is used up',
  paths_inside: () => 'All named paths are inside of the working directory',
  file_written: () => 'A file is written',
  nothing_written: () => 'No file is written',
}
export const inputChangeText = (change: InputChange): string => textOf(INPUT_CHANGES, change)

export const RECORDER_NOTES: Catalogue<RecorderNotes> = {
  nothing_failed: () => 'It found nothing that failed.',
  verdict: ({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`),
  exit_status_set: ({ failOn }) => `That made the exit status 70 (--fail-on ${failOn}).`,
  exit_status_kept: ({ exitCode }) => `The exit status stayed that of the command: ${exitCode}.`,
  contract_not_checked: () =>
    'A recorder holds the result against its contract only when it is asked to: --fail-on contract.',
  exit_code_forgiven: () =>
    'By the rules an exit code is forgiven when the process was stopped after it had delivered.',
}
export const recorderNoteText = (note: RecorderNote): string => textOf(RECORDER_NOTES, note)
