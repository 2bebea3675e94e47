import type { MessageOf, NoParams } from '../message'
import type { CallRef } from './call-ref'
import type { CallRetryReason } from './call-retry'

interface OfCall {
  readonly call: CallRef
}

/** What was done between a failure and its success, and may have made the difference. */
export interface WorkBetween {
  /** What a person said last; null: nothing. */
  readonly said: string | null
  /** The calls worth naming, first ones first; those that failed are named all the same. */
  readonly calls: readonly { readonly call: CallRef; readonly failed: boolean }[]
  /** How many there were with those not listed. */
  readonly total: number
}

/** A failure whose work was done in the end. */
export interface Recovered {
  readonly call: CallRef
  /** Failed calls of this work. */
  readonly times: number
  /** Null: nothing of the kind. */
  readonly between: WorkBetween | null
  readonly because: CallRetryReason
}

/** What is known of work that stayed as it failed. */
export interface Unresolved {
  readonly times: number
  /** All failed with the same result. */
  readonly alike: boolean
  readonly outcome: 'no_result' | 'no_success' | 'not_comparable' | 'not_retried'
  /** A later command that names the same file and may have made the change. */
  readonly writer: CallRef | null
  /** The run came to its end. */
  readonly ended: boolean
}

/** A failed call that no later call made up for. */
export interface UnresolvedCall {
  readonly because: CallRetryReason
  readonly became: Unresolved
  /** The agent's own next words. */
  readonly agentSaid: string | null
}

/** Why starting the job again would help or not: the rules of `lib/judge/retry/run-retry.ts`. */
export interface RunRetryReasons {
  /** What happened to other attempts of the chain, which one execution does not know of (`hindsight.ts`). */
  did_not_help: { readonly attempts: number }
  recorder_stopped: NoParams

  output_unparseable: NoParams
  attempts_used_up: NoParams
  judged_failure: NoParams
  contract_not_met: NoParams
  cut_off_resumable: NoParams
  stopped_early: NoParams
  answer_lost: NoParams
  empty_output: NoParams
  lines_missing: NoParams
  wrong_folder: NoParams
  wrote_nothing: NoParams
  went_silent: NoParams
  retry_requested: { readonly reason: string }
  recorded_timeout: NoParams
  recorded_crash: NoParams
  process_timeout: NoParams
  process_killed: { readonly lastOutput: boolean }
  command_not_run: { readonly exitCode: 126 | 127 }
  exit_without_stderr: NoParams
  exit_with_stderr: NoParams
  decision_unclear: NoParams

  pipeline_open: NoParams
  failed_task_unknown: NoParams
  task_requirement_missing: NoParams
  agent_profile_unknown: NoParams
  source_not_prepared: NoParams
  task_timeout: NoParams
  task_failed_alike: { readonly attempts: number; readonly sameInput: boolean }
  /** `recorded`: each of the errors. */
  task_failed_differently: { readonly attempts: number; readonly recorded: boolean }
  task_ran_once: NoParams

  requests_recovered: NoParams
  requests_ended_run: NoParams

  signal_without_reason: NoParams
  signal: NoParams
  agent_not_started: NoParams
  agent_failed: NoParams
  request_recovered: NoParams
  request_limited: NoParams
  service_busy: NoParams
  request_rejected: NoParams
  limit_reached: NoParams
  session_unknown: NoParams
  startup_failed: NoParams
  cli_error: NoParams
  ci_step_failed: NoParams
  ci_step_cancelled: NoParams
  agent_end_unknown: NoParams
  receipt_without_outcome: OfCall
  result_unreadable: NoParams
  result_status_missing: NoParams
  hook_blocked: NoParams
  permission_denied: NoParams
  interrupted: NoParams
  call_open: OfCall
  record_cut_off: NoParams

  same_call_worked: Recovered & { readonly number: number }
  /** `approved`: a person who had rejected the call approved the changed one. */
  changed_input_worked: Recovered & { readonly number: number; readonly approved: boolean }
  later_call_worked: Recovered & { readonly number: number }
  another_way_worked: Recovered & { readonly other: CallRef }
  /** The identical call won't help, but a new run need not make it. */
  agent_may_differ: UnresolvedCall
  call_unresolved: UnresolvedCall

  nothing_known: NoParams
}

export type RunRetryReason = MessageOf<RunRetryReasons>
