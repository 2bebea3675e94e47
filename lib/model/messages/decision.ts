import type { MessageOf, NoParams } from '../message'
import type { OutcomeMessage } from './outcome'

/** Why a decision is as it is. Codes of the source, such as a subtype, are as on the wire. */
export interface DecisionReasons {
  // By the record of the source.
  recorded_by_source: { outcome: string; retryReason: string; subtype: string }
  // By what the run says of itself; `reason` and `tools` are its words.
  agent_signal: { reason: string | null }
  permission_denied: { tools: string[] }
  // By the end of the process, where the rules could not be asked.
  timed_out: { limitS: number | null }
  killed: { signal: string }
  exit_code: { exitCode: number }
  exit_zero: NoParams
  /** By the records of the agent. */
  by_records: { outcome: OutcomeMessage }
  // By an output that could not be judged.
  parser_crashed: { why: string }
  patterns_not_searchable: {
    patterns: string[]
    /** The outcome whether they are found or not; null where it depends on them, and `records` say it. */
    outcome: string | null
    records: DecisionReason | null
  }
  // By the rules, in the order of their asking.
  recovered_from_stale: NoParams
  retry_reason: { reason: string }
  delivered: NoParams
  channel_confirmed: NoParams
  time_limit: NoParams
  no_readable_result: { subtype: string }
  result_error: { subtype: string | null }
  only_marker: NoParams
  end_not_reported: { subtype: string }
  result_blank: NoParams
  not_delivered: { markerMissing: boolean; patterns: string[] }
  nothing_asks: NoParams
}
export type DecisionReason = MessageOf<DecisionReasons>

/** The five questions of a reader about a decision. */
export const DECISION_QUESTIONS = [
  'finished',
  'output_there',
  'as_asked',
  'retried',
  'different_before_fix',
] as const
export type DecisionQuestion = (typeof DECISION_QUESTIONS)[number]
/** An answer in a word. */
export type ShortAnswer = 'yes' | 'no' | 'unknown' | 'not_asked' | 'reason_only'

/** How a process ended, as far as it was recorded; null where nobody asks for it. */
export type ProcessEnd = { exitCode: number } | { signal: string } | 'exit_code_missing' | null

/** The sentences that answer the questions. Characters are those of the result; null where they were not counted. */
export interface DecisionAnswers {
  // finished
  end_unknown: { end: ProcessEnd }
  killed_from_outside: { signal: string; channel: string | null }
  not_started: { exitCode: number }
  ended: { termination: string; end: ProcessEnd; channel: string | null }
  // output_there
  output_complete: { chars: number | null; withMarker: boolean }
  output_incomplete: { chars: number | null }
  blank: NoParams
  marker_missing: { chars: number | null }
  blank_or_marker_missing: NoParams
  /** Several content states in one word. */
  states_possible: { readonly states: string }
  error_without_text: NoParams
  error_with_text: NoParams
  inputs_missing: { inputs: string[] }
  content_not_checked: NoParams
  // as_asked
  contract_unknown: NoParams
  no_patterns: NoParams
  patterns_found: { patterns: number }
  patterns_not_searched: { patterns: number }
  patterns_differ: {
    found: number
    patterns: number
    missing: number
    invalid: number
    /** Of another engine. */
    differs: number
    unknown: number
  }
  // retried
  succeeded: NoParams
  retry_unknown: NoParams
  retry_requested: { reason: string; budget: { left: number; max: number } | null }
  /** `because` is the reason of the decision in the words that its document has. */
  reaction_unknown: { because: string }
  budget_exhausted: NoParams
  failed_by_itself: { because: string }
  final_by_guard: { rule: string }
  nothing_asks: NoParams
  // different_before_fix
  above_policies: NoParams
  not_kept: NoParams
  other_outcome: { outcome: string; reason: string; untilBudget: boolean }
  other_reason: { reason: string }
  same: NoParams
}
export type DecisionAnswer = MessageOf<DecisionAnswers>

/** Why no rule of a stage fired. */
export interface PathPasses {
  output_unreadable: NoParams
  // recovery
  nothing_recovered: NoParams
  result_as_printed: NoParams
  // content
  decided_by_channel: NoParams
  content_skipped: { termination: string }
  content_skipped_by_error: NoParams
  // success
  decided_by_content: NoParams
  no_success: { termination: string }
  exit_code_stands: NoParams
  // retry
  silent_run_retried: NoParams
  // contradiction
  no_contradiction: { succeeded: boolean }
  // dead_end
  no_channel: NoParams
  already_succeeded: NoParams
  already_retried: NoParams
  // gates
  no_gate_closed: NoParams
}
export type PathPass = MessageOf<PathPasses>

/** What a reader would take for a mistake of ours, and is one of the rules. */
export interface DecisionBadges {
  /** In these fields of the verdict. */
  differs: { fields: string[] }
  channel_only: NoParams
  failed_complete: {
    why: 'only_marker' | 'timed_out' | 'agent' | { subtype: string } | { exitCode: number }
  }
  retried_violation: NoParams
  timeout_not_final: { succeeded: boolean }
  recovered_stale: NoParams
  synthetic: NoParams
  zero_writes: NoParams
  contaminated: NoParams
  exit_forgiven: NoParams
}
export type DecisionBadge = MessageOf<DecisionBadges>

/** How an input could have been otherwise. */
export interface InputChanges {
  ended_by_itself: NoParams
  channel: { channel: string }
  exit_zero: NoParams
  exit_one: NoParams
  subtype_success: NoParams
  error_cleared: NoParams
  error_set: NoParams
  context_left: NoParams
  text_there: NoParams
  text_blank: NoParams
  marker_printed: NoParams
  marker_omitted: NoParams
  pattern_found: { pattern: string }
  pattern_missing: { pattern: string }
  budget_left: NoParams
  budget_used: NoParams
  paths_inside: NoParams
  file_written: NoParams
  nothing_written: NoParams
}
export type InputChange = MessageOf<InputChanges>

/** What the recorder of a run made of it, and why a decision may say something else. */
export interface RecorderNotes {
  nothing_failed: NoParams
  /** In the words of the recorder. */
  verdict: { text: string }
  exit_status_set: { failOn: string }
  exit_status_kept: { exitCode: number }
  contract_not_checked: NoParams
  exit_code_forgiven: NoParams
}
export type RecorderNote = MessageOf<RecorderNotes>
