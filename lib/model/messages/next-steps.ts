import type { MessageOf, NoParams } from '../message'
import type { CallRef } from './call-ref'

interface OfCall {
  readonly call: CallRef
}
interface OfError {
  readonly error: string
}
/** An error to quote; empty: the call is named instead. */
interface ErrorOf extends OfError, OfCall {}

/** Where code is to be fixed before the call is made again. */
interface AtPlace extends ErrorOf {
  /** As the error names it; null: it names none. */
  readonly at: { readonly file: string; readonly line: number } | null
  /** Only receipts have it, so that nobody can make the call by hand. */
  readonly receiptOnly: boolean
}

/** A task of a pipeline made again. */
interface Rerun {
  readonly command: string
}

/** Where to begin with a failed task: what changed since it last passed; null: not known. */
export interface StartingPoint {
  readonly paths: readonly string[]
  readonly more: boolean
}

/** What to do about a failure. */
export interface NextSteps {
  no_action: NoParams
  /** `other`: the call that did the work of the failed `call`, as far as can be inferred. */
  check_workaround: OfCall & { readonly other: CallRef }
  no_action_read_first: NoParams
  no_action_prompt: NoParams
  no_action_parallel: NoParams
  no_action_requests: NoParams

  ask_person: NoParams
  follow_person: { readonly said: string }
  do_as_asked: OfError
  ask_why_interrupted: OfCall
  read_then_retry: OfCall
  edit_with_new_text: OfCall
  edit_current_text: OfCall
  widen_edit: OfCall
  find_path: OfCall
  read_file_in_folder: OfCall
  fix_parallel_call: OfCall & { readonly cause: CallRef | null }
  narrow_result: OfCall
  grant_call: OfCall
  satisfy_hook: OfError
  send_valid_input: OfCall & OfError
  use_task_result: NoParams
  find_agent_run: NoParams
  open_agent_run: { readonly run: string }
  configure_agent: { readonly message: string | null }
  install_agent_dependency: { readonly message: string | null }
  check_step_host: OfError
  rerun_step: OfError
  fix_step_credential: OfError
  fix_step_request: OfError
  read_step_events: OfCall
  read_step_input: OfCall & OfError
  use_existing_name: OfError
  merge_then_push: OfError
  pass_by_file: OfError
  rerun_after_connection: OfError
  unignore_path: OfError
  use_make_target: OfError
  install_program: OfError & { readonly program: string | null }
  find_creator: OfError
  find_creator_of: { readonly thing: string }
  check_options: { readonly thing: string }
  absolute_path_before_cd: { readonly thing: string }
  absolute_path_after_cd: { readonly thing: string }
  grant_account: OfError
  fix_work_or_check: AtPlace
  /** `cut`: the error is not whole here. */
  find_exception: AtPlace & { readonly cut: boolean }
  fix_program: AtPlace
  fix_code: AtPlace
  run_by_hand: OfCall & OfError & { readonly exitCode: number | null; readonly cut: boolean }
  run_unclear_by_hand: OfCall & OfError
  look_in_other_records: OfError & { readonly callId: string }
  check_mcp_server: ErrorOf
  /** A step about an input that only receipts have a digest of. */
  with_input_elsewhere: { readonly step: NextStep; readonly callId: string }

  read_signal: NoParams
  fix_signal: NoParams
  wait_for_limit: NoParams
  resume_later: NoParams
  fix_request: NoParams
  raise_limit: NoParams
  new_session: NoParams
  fix_settings: NoParams
  read_result_record: NoParams
  read_step_log: NoParams
  rerun_cancelled: NoParams
  find_step_run: NoParams
  check_effects_elsewhere: OfCall & { readonly callId: string }
  check_result_writer: NoParams
  change_before_rerun: NoParams
  satisfy_hook_and_resume: NoParams
  allow_tool: NoParams
  ask_who_stopped: NoParams
  check_parent: NoParams
  resume_session: NoParams
  check_effects: OfCall
  read_last_events: NoParams
  resume_same_prompt: NoParams

  import_again: NoParams
  read_pipeline_files: NoParams
  provide_requirement: Rerun & OfError
  declare_profile: Rerun & OfError
  fix_source: { readonly task: string }
  raise_task_limit: Rerun
  fix_task: Rerun & { readonly start: StartingPoint | null }
  reproduce_task: Rerun & { readonly start: StartingPoint | null }

  check_output_and_effects: NoParams
  fix_result_writer: NoParams
  compare_attempts: NoParams
  compare_with_request: NoParams
  fix_pattern: { readonly pattern: string }
  ask_for_pattern: { readonly pattern: string }
  resume_or_raise_limit: NoParams
  ask_for_rest: NoParams
  rerun_lost_answer: NoParams
  check_stderr: NoParams
  ask_for_lines: NoParams
  review_outside_writes: NoParams
  name_files: NoParams
  rerun_silent: NoParams
  rerun: NoParams
  check_recorded_timeout: NoParams
  fix_exception: NoParams
  check_timeout: { readonly timeline: boolean }
  find_killer: { readonly signal: string }
  fix_command: { readonly command: string }
  run_command_by_hand: { readonly command: string; readonly output: boolean }
  fix_error_above: NoParams
  read_output_end: NoParams
}

export type NextStep = MessageOf<NextSteps>
