import type { Outcome, Pointer } from '../execution'
import type { MessageOf, NoParams } from '../message'
import type { CallRef, FailedCallRef } from './call-ref'
import type { DecisionReason } from './decision'
import type { FailedTask } from './failed-task'

/** The words of the record that say why; empty: it holds none. */
interface Quoting {
  readonly error: string
}

/** A failed call, with its decisive line. */
export interface QuotedCall extends Quoting {
  readonly call: FailedCallRef
}

/** Requests to the model that failed, with what all of them have in common. */
export interface FailedRequestsParams {
  readonly requests: number
  readonly status: string | null
  readonly error: string | null
}

/** What became of the calls that failed, counted as in the counts of the execution. */
export interface FailedCallsParams {
  readonly failed: number
  readonly calls: number
  /** Of the failed: cancelled with another call. */
  readonly cancelled: number
  readonly fixedOnRetry: number
  readonly workedAround: number
  readonly unresolved: number
  /** Of a single unresolved problem; null: of several, or of none that is unresolved. */
  readonly unresolvedOne: 'retry_without_result' | 'not_comparable' | 'not_retried' | 'not_fixed' | null
}

/** How a process printed no result; null: it did, or what it printed was judged. */
export type PrintedNothing = 'nothing' | 'no_result' | null

interface ProcessEnd {
  /** How long it had run; null: not recorded. */
  readonly afterS: number | null
  readonly printed: PrintedNothing
  /** Its last line of standard error. */
  readonly lastOutput: string
}

/** Expected patterns that were not found. */
export interface PatternsMissing {
  /** The first of them. */
  readonly patterns: readonly string[]
  readonly missing: number
  readonly expected: number
}

/** What a failure was: one message for each rule. A quote is the program's own text and is at the cause's pointer. */
export interface CauseMessages {
  // As the result record says.
  agent_signal: { readonly reason: string }
  result_unreadable: NoParams
  result_status_missing: NoParams
  startup_failed: Quoting
  session_unknown: Quoting
  run_stopped: Quoting
  request_failed: Quoting & { readonly status: number | null }
  limit_reached: Quoting & {
    readonly limit: 'turns' | 'budget' | 'structured_output' | 'other'
    readonly turns: number | null
  }
  stopped_by_hook: Quoting
  /** `call`: the first of them; `tool`: its name where no record contains the call. */
  tools_denied: Quoting & {
    readonly call: CallRef | null
    readonly tool: string | null
    readonly denied: number
  }
  cli_error: Quoting & { readonly subtype: string | null; readonly terminalReason: string | null }
  // As the last records of a session show.
  request_failed_last: Quoting & { readonly status: number | null; readonly failures: number }
  stop_failure: Quoting & { readonly code: string | null }
  call_refused_last: QuotedCall & { readonly by: 'session' | 'receipt' }
  interrupted: {
    readonly when:
      | 'before_calls'
      | 'after_message'
      | { readonly call: CallRef; readonly state: 'running' | 'succeeded' | 'failed' }
  }
  prompt_unanswered: NoParams
  receipt_outcome_unreadable: { readonly call: CallRef }
  /** `parallel`: further calls of the same message without a result. */
  call_unanswered: { readonly call: CallRef; readonly parallel: number }
  call_failed_last: QuotedCall & { readonly by: 'session' | 'receipt'; readonly attempts: number }
  stop_hook: Quoting & { readonly prevented: boolean }
  // What failed along the way.
  calls_failed: QuotedCall & { readonly outcome: Outcome; readonly counts: FailedCallsParams }
  /** Of a run that ended well: nothing that failed needs a look. */
  failures_along_the_way: QuotedCall & { readonly counts: FailedCallsParams }
  requests_failed: Quoting & { readonly outcome: Outcome; readonly requests: number }
  // The CI step that ran the agent failed, and its records tell of no failure: how they end.
  ci_step_failed: { readonly inside: 'success' | 'no_result' | 'nothing' }
  ci_step_cancelled: NoParams
  // A run of a workflow engine.
  agent_failed: Quoting & {
    readonly step: string
    readonly code: string | null
    readonly childId: string | null
    /** The engine calls the run completed. */
    readonly runCompleted: boolean
  }
  agent_end_missing: { readonly step: string }
  step_failed: QuotedCall
  no_failed_step: Quoting & { readonly row: string }
  // A run of a pipeline.
  run_record_open: Quoting & { readonly failedTask: string | null }
  no_failed_task: NoParams
  task_failed: FailedTask & { readonly otherTasks: number }
  task_failed_without_record: Quoting & { readonly task: string }
  // The end of the process.
  process_timed_out: ProcessEnd & { readonly limitS: number | null }
  process_silent: ProcessEnd & { readonly stalled: boolean }
  process_killed: ProcessEnd & { readonly signal: string }
  command_not_started: {
    readonly command: string
    readonly exitCode: number
    readonly lastOutput: string
  }
  process_failed: Omit<ProcessEnd, 'afterS'> & { readonly exitCode: number; readonly resultComplete: boolean }
  recorder_stopped: NoParams
  // What was delivered, against what was asked for.
  parser_crashed: { readonly why: string | null }
  patterns_missing: PatternsMissing
  result_blank: { readonly exitZero: boolean }
  /** `lostBy`: which channel saw the end of the run, so that output was lost. `by`: who was to print it; unset in older rows. */
  marker_missing: {
    readonly marker: string
    readonly lostBy: 'channel_a' | 'channel_b' | null
    readonly by?: 'agent' | 'command'
  }
  result_error: { readonly subtype: string }
  /** What the decision rests on. */
  decided: { readonly reason: DecisionReason }
  // As the source itself recorded.
  recorded_failure: {
    readonly subtype: string
    readonly durationS: number | null
    /** Null: not recorded, zero, or how the source stopped a process that was done. */
    readonly exitCode: number | null
    readonly outputLost: boolean
    readonly attemptsUsedUp: boolean
    /** Its result was rejected because the session reports an error. */
    readonly sessionError?: true
    readonly detail: string
  }
}

export type CauseMessage = MessageOf<CauseMessages>

/** What is below a cause: another matter than the cause. */
export interface EarlierMessages {
  failed_before: {
    readonly requests: FailedRequestsParams | null
    /** The run went on after these requests. */
    readonly continued: boolean
    readonly calls: FailedCallsParams | null
    /** The failed call that tells most. */
    readonly main: QuotedCall | null
  }
  /** The cause that the agent's own records give, below how the process ended. */
  by_records: { readonly cause: CauseMessage }
  /** What a command did not print that was expected of it, below how it ended. `marker`: null where it was printed. */
  contract_broken: PatternsMissing & { readonly marker: string | null }
}
export type EarlierMessage = MessageOf<EarlierMessages>

/** A cause as the rules find it. */
export interface JudgedCause {
  message: CauseMessage
  /** What failed before it: another matter, which is below it. */
  earlier: EarlierMessage | null
  category: string
  pointer: Pointer | null
}

/** A cause with its text: both messages, a line each. */
export interface FoundCause extends JudgedCause {
  text: string
}
