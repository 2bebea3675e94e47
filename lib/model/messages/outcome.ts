import type { RunProgress } from '../workflow-facts'
import type { MessageOf, NoParams } from '../message'
import type { InputChannel } from '../normal-form'

/** What a result record says beside a verdict that would hide it. Null: the record does not say. */
export interface ResultRecordParams {
  readonly subtype: string | null
  readonly isError: boolean | null
  readonly stopReason: string | null
  readonly terminalReason: string | null
  readonly apiErrorStatus: number | null
  /** The first of its errors. */
  readonly error: string | null
}

/** Sources that are judged by the last turns of a session. */
export type SessionChannel = Exclude<InputChannel, 'hook' | 'receipt' | 'rows' | 'pipeline'>

/** What a session ends on without its work being done. */
export type LeftOpen = 'question' | 'push' | 'edit'

/** Rows of a workflow run that are here, of those that it has. */
export interface RowsHeldParams {
  readonly held: number
  /** Null: not recorded. */
  readonly total: number | null
  /** What its server calls the run; null: not recorded. */
  readonly said: string | null
  /** Where it says that the run is; left out: not recorded. */
  readonly progress?: RunProgress
}

export interface RowParams {
  readonly type: string
  readonly eventId: string | null
}

/** Why an outcome is what it is: one message for each rule that can decide it, under the id of the rule. */
export interface OutcomeMessages {
  // A result record.
  result_unreadable: NoParams
  agent_signal: NoParams
  startup_failure: { readonly reason: string }
  resume_unknown_session: ResultRecordParams
  killed: ResultRecordParams
  aborted: ResultRecordParams
  /** `text`: only the words of the result tell of it. */
  api_failure: ResultRecordParams & { readonly shownBy: 'status' | 'text' }
  limit_reached: ResultRecordParams
  hook_stopped: ResultRecordParams
  /** Neither `subtype` nor `is_error`. */
  result_status_missing: NoParams
  cli_status: ResultRecordParams
  permission_denied: { readonly tools: readonly (string | null)[] }
  result_success: NoParams
  // The end of a session, of hook events or of receipts.
  api_error_last: NoParams
  interrupted_last: { readonly by: 'message' | 'receipt' }
  unanswered_prompt: { readonly source: SessionChannel }
  call_without_result: { readonly source: SessionChannel | 'receipt' | 'unreadable_receipt' }
  failed_call_last: { readonly by: 'session' | 'receipt' }
  stopped_by_hook: { readonly prevented: boolean }
  signal_in_last_text: NoParams
  left_open: { readonly source: SessionChannel; readonly what: LeftOpen }
  /** `endShown`: text of the agent follows the last call. */
  completed: { readonly source: SessionChannel; readonly endShown: boolean }
  stop_failure: { readonly error: string | null }
  stop_seen: { readonly how: string }
  no_end_seen: NoParams
  no_activity: {
    readonly received: SessionChannel | 'nothing' | 'files' | 'rows' | 'results' | 'receipts' | 'open_process'
  }
  // A CI step that ran the agent, where the records of the agent do not tell of a failure: how they end.
  ci_step_failed: { readonly inside: 'success' | 'no_result' | 'nothing' }
  ci_step_cancelled: NoParams
  // A run of a workflow engine.
  cancelled_row: { readonly eventId: string | null }
  agent_failed_inside: {
    readonly failures: number
    /** The first of them. */
    readonly steps: readonly string[]
    readonly moreSteps: boolean
    readonly status: string
    readonly row: RowParams | null
    readonly serverRule: string
    /** Null: all rows are here. */
    readonly incomplete: RowsHeldParams | null
  }
  agent_result_missing: {
    readonly serverRule: string
    readonly step: string
    /** Where the result is kept; null: nowhere. */
    readonly reference: string | null
  }
  run_incomplete: RowsHeldParams
  terminal_row:
    | { readonly ended: 'failed'; readonly row: RowParams | null; readonly incomplete: RowsHeldParams | null }
    | { readonly ended: 'succeeded'; readonly row: RowParams | null }
  end_step_completed: NoParams
  batch_completed: NoParams
  nothing_terminal: NoParams
  // A run of a pipeline.
  run_record: { readonly status: string; readonly noFailedTask: boolean }
  run_record_open:
    | { readonly status: 'running'; readonly hasEnd: boolean; readonly pid: number | null }
    | { readonly status: string | null; readonly hasEnd: null }
  run_record_missing: NoParams
  // Neither.
  analysis_failed: NoParams
}

export type OutcomeMessage = MessageOf<OutcomeMessages>
export type OutcomeParams = OutcomeMessage['params']
