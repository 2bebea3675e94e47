import { codeWords } from '../text/code-words'
import type { RuleStep, RuleValue } from '../model/rule-step'

/** How the words of the wire read for people; one that only a newer source knows reads as itself. */
const RETRY_REASON_WORDS: Record<string, string> = {
  resume: 'cut short, can be resumed',
  stale: 'went silent',
  none: 'no retry',
  budget_exhausted: 'retry budget used up',
  early_stop: 'stopped before its marker',
  zero_writes: 'nothing written',
  empty_output: 'no result in the output',
  drain_race: 'output lost',
  path_contamination: 'wrote outside its directory',
  contract_recovery: 'files written, result incomplete',
  clone_contamination: 'changed the source clone',
  unknown: 'retry reason unknown',
}
export const retryReasonWords = (reason: string): string => RETRY_REASON_WORDS[reason] ?? codeWords(reason)

const SUBTYPE_WORDS: Record<string, string> = {
  success: 'success',
  error_max_turns: 'turn limit reached',
  error_during_execution: 'error while running',
  context_exhaustion: 'context exhausted',
  context_exhausted: 'context exhausted',
  unknown: 'unknown',
  empty_output: 'nothing printed',
  empty_result: 'blank result',
  unparseable: 'no readable result',
  timeout: 'timed out',
  interrupted: 'interrupted',
  idle_stall: 'stalled',
  missing_completion_marker: 'completion marker missing',
  adjudicated_failure: 'result rejected',
  stale: 'went silent',
  recovered_from_stale: 'silent after its result',
  path_contamination: 'wrote outside its directory',
  zero_writes: 'nothing written',
  crashed: 'parser crashed',
}
export const subtypeWords = (subtype: string): string => SUBTYPE_WORDS[subtype] ?? codeWords(subtype)

const TERMINATION_WORDS: Record<string, string> = {
  natural_exit: 'exited on its own',
  completed: 'stopped after it had finished',
  stale: 'went silent and was stopped',
  idle_stall: 'stalled and was stopped',
  timed_out: 'timed out',
}
export const terminationWords = (termination: string): string =>
  TERMINATION_WORDS[termination] ?? codeWords(termination)

const CHANNEL_WORDS: Record<string, string> = {
  channel_a: 'channel A saw a result in the output',
  channel_b: 'channel B saw the end in the agent’s own log',
  unmonitored: 'no channel saw the end',
  dir_missing: 'folder of the agent’s log missing',
}
export const channelWords = (channel: string): string => CHANNEL_WORDS[channel] ?? codeWords(channel)

const KILL_WORDS: Record<string, string> = {
  natural_exit: 'not stopped by its runner',
  kill_after_completion: 'stopped after it had finished',
  infra_kill: 'stopped from outside',
  exception: 'ended by an exception',
  not_applicable: 'not applicable',
}

const EXHAUSTION_WORDS: Record<string, string> = {
  flag: 'reported by a record',
  errors: 'reported by an error',
  result: 'reported in the result',
}

const POLICY_WORDS: Record<string, string> = {
  current: 'current rules',
  'pr-415': 'the fix as first merged',
  'legacy-promote-all': 'before the fix',
}
export const policyWords = (policy: string): string => POLICY_WORDS[policy] ?? codeWords(policy)

const WARNING_WORDS: Record<string, string> = {
  record_split_by_line_separator: 'a line separator cut a record in two, and both halves are lost',
}

/** Names of values, in the evidence and in the inputs of rules. */
const NAMES: Record<string, string> = {
  termination: 'Termination',
  timeout_s: 'Time limit',
  exit_code: 'Exit code',
  signal: 'Signal',
  kill_reason: 'Stopped by',
  channel: 'Channel',
  subtype: 'Subtype',
  cli_subtype: 'CLI subtype',
  is_error: 'Result is an error',
  result_chars: 'Result length',
  plain_output: 'Plain output',
  failure_tag: 'Failure signal tag',
  marker: 'Completion marker',
  patterns: 'Expected patterns',
  command: 'Command',
  result_tail: 'End of the result',
  warnings: 'Warnings',
  messages: 'Agent messages',
  chars_before: 'Characters before',
  chars_after: 'Characters after',
  lines: 'Lines added',
  writes: 'Write calls',
  write_calls: 'Write calls',
  says: 'Message',
  why: 'Exception',
  blank: 'Result is blank',
  only_marker: 'Only the marker',
  marker_found: 'Marker found',
  patterns_missing: 'Missing patterns',
  missing: 'Missing patterns',
  marker_in_result: 'Marker in the result',
  max_turns: 'Turn limit reached',
  exhaustion: 'Context exhausted',
  content_state: 'Content state',
  policy: 'Policy',
  success: 'Success',
  needs_retry: 'Asks for a retry',
  reason: 'Reason',
  token: 'Named as',
  path: 'Path',
  paths: 'Paths outside',
  attempts: 'Attempts in a row',
  max: 'Limit',
  write_path_warnings: 'Paths outside its directory',
}
const PLACES = new Map(Object.keys(NAMES).map((name, place) => [name, place]))
/** Values in the order in which a reader asks; those that only a newer version tells come last. */
export const inReadingOrder = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(values).sort(([a], [b]) => (PLACES.get(a) ?? PLACES.size) - (PLACES.get(b) ?? PLACES.size))

/** `exit_code` → "Exit code". */
export const nameWords = (name: string): string => NAMES[name] ?? capital(codeWords(name))

const BY_NAME: Record<string, (value: string) => string> = {
  termination: terminationWords,
  channel: channelWords,
  subtype: subtypeWords,
  cli_subtype: subtypeWords,
  retry_reason: retryReasonWords,
  reason: retryReasonWords,
  content_state: codeWords,
  policy: policyWords,
  kill_reason: (value) => KILL_WORDS[value] ?? codeWords(value),
  exhaustion: (value) => EXHAUSTION_WORDS[value] ?? codeWords(value),
  warnings: (value) => WARNING_WORDS[value] ?? codeWords(value),
}

/** A value in words, and the code that the source writes for it where that is another one. */
export interface ValueWords {
  text: string
  code: string | null
  /** It is text of the run, not a word of ours. */
  quoted: boolean
}

/** Each value of an entry of the evidence or of a rule's inputs; none for an empty list. */
export function valueWords(name: string, value: RuleValue): ValueWords[] {
  if (value === null)
    return [ours(name === 'marker_found' ? 'none required' : name === 'exhaustion' ? 'no' : 'not recorded')]
  if (typeof value === 'boolean') return [ours(value ? 'yes' : 'no')]
  if (typeof value === 'number') return [ours(`${value}${UNITS[name] ?? ''}`)]
  const words = BY_NAME[name]
  return (typeof value === 'string' ? [value] : value).map((one) =>
    words === undefined ? quoted(name, one) : coded(words(one), one),
  )
}

const UNITS: Record<string, string> = { result_chars: ' characters', timeout_s: ' seconds' }
const ours = (text: string): ValueWords => ({ text, code: null, quoted: false })
const coded = (text: string, code: string): ValueWords => ({
  text,
  code: text === code ? null : code,
  quoted: false,
})
const quoted = (name: string, text: string): ValueWords =>
  name === 'marker' && text === '' ? ours('none required') : { text, code: null, quoted: true }

/** The reason for another attempt that a rule gave, where it gave one: it is at the end of its effect. */
export function reasonIn({ effect }: Pick<RuleStep, 'effect'>): string | null {
  const reason = /, ([a-z]+(?:_[a-z]+)*)$/.exec(effect)?.[1]
  return reason !== undefined && reason in RETRY_REASON_WORDS ? reason : null
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
