import type { MessageOf, NoParams } from '../message'
import type { CallRef } from './call-ref'

/** Attempts that all failed the same way; null: it was made once, or the failures differ. */
interface Alike {
  readonly alike: number | null
}
interface OfCall {
  readonly call: CallRef
}

/** Why the identical call, made again at once, would succeed or not: the rules of `lib/judge/retry/call-retry.ts`. */
export interface CallRetryReasons {
  same_call_worked: { readonly number: number }
  same_call_failed_again: { readonly number: number }
  rejected_reason_given_before: OfCall & {
    readonly times: number
    /** The attempt at which the person gave the reason. */
    readonly attempt: number
    readonly reason: string
  }
  rejected_with_reason: OfCall
  rejected: OfCall
  interrupted: OfCall
  /** `again`: it had been read, and changed since. */
  not_read_first: { readonly again: boolean }
  edit_changes_nothing: NoParams
  edit_no_match: NoParams
  edit_many_matches: NoParams
  path_missing: OfCall
  is_folder: NoParams
  /** `cause`: the call that failed; null: it is not known. */
  sibling_cancelled: OfCall & { readonly cause: CallRef | null }
  /** `cause`: the call that failed, on the same target. */
  sibling_cancelled_on_target: OfCall & { readonly cause: CallRef }
  result_too_large: NoParams
  permission_denied: OfCall
  hook_blocked: OfCall
  invalid_input: NoParams
  task_unknown: NoParams
  agent_failed: NoParams
  step_host_unresolved: NoParams
  step_service_busy: NoParams
  step_unauthorized: NoParams
  step_request_rejected: NoParams
  step_no_message: NoParams
  step_message_unclear: NoParams
  name_unknown: NoParams
  push_behind: NoParams
  arguments_too_long: NoParams
  connection_failed: NoParams
  path_ignored: NoParams
  make_target_missing: NoParams
  /** Null: the error does not name it. */
  program_missing: { readonly program: string | null }
  something_missing: NoParams
  number_read_as_path: { readonly thing: string }
  missing_after_own_cd: { readonly thing: string; readonly folder: string }
  missing_after_earlier_cd: { readonly thing: string; readonly folder: string; readonly number: number }
  thing_missing: { readonly thing: string }
  system_denied: NoParams
  check_failed: Alike
  program_crashed: Alike
  failed_alike: { readonly alike: number }
  mcp_failed: NoParams
  code_at_fault: NoParams
  command_failed: NoParams
  no_message: NoParams
  message_unclear: NoParams
}

export type CallRetryReason = MessageOf<CallRetryReasons>
