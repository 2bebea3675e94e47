import type { MessageOf } from '../message'
import type { StepConclusion } from '../step-conclusion'

/** Why a step of a CI job may have ended as it did, where the file that it left does not say. */
export type StepReason =
  | 'not_started'
  | 'died_without_file'
  | 'stopped_early'
  | 'nothing_to_do'
  | 'died_at_start'
  | 'died'
  | 'stream_ended'
  | 'turn_limit'
  | 'structured_output'
  | 'hung_after_result'
  | 'error_ignored'
  | 'later_part'
  | 'earlier_file'

interface Possible {
  /** The likely ones, in the order in which to look. */
  readonly reasons: readonly StepReason[]
}

/** What the end of a step says beside the verdict on the execution: one message for each rule. */
export interface StepEndMessages {
  /** Null: nobody told how the step ended. */
  file_missing: Possible & { readonly conclusion: StepConclusion | null }
  /** `[]`: nothing was received from the agent. */
  no_messages: Possible
  /** Records, and none that says how the run ended. */
  no_result: Possible
  /** The execution failed because its step did. `turns` of the agent; null: not recorded. */
  step_failed: Possible & { readonly turns: number | null }
  cancelled_after_success: Possible
  passed_after_failure: Possible
}

export type StepEndMessage = MessageOf<StepEndMessages>
