import type { MessageOf, NoParams } from '../message'
import type { FailedCallRef } from './call-ref'
import type { FailedTask } from './failed-task'
import type { WorkBetween } from './run-retry'

/** What failed, for a list of the failures inside a run. */
export interface FailureSummaries {
  calls_failed: {
    readonly call: FailedCallRef
    readonly failed: number
    /** Different targets of these calls; null: one, or not all have one. */
    readonly targets: number | null
    /** Empty: none was recorded. */
    readonly error: string
  }
  requests_failed: {
    readonly requests: number
    /** What all of them have in common. */
    readonly status: string | null
    readonly error: string | null
  }
  task_failed: FailedTask
}

interface Open {
  /** Number of a later call that may have made the change. */
  readonly writer: number | null
}

/** What became of failures of one kind. */
export interface Aftermaths {
  /** `members`: pieces of work; `number` of the call that worked, where it is one piece. */
  fixed_on_retry: {
    readonly members: number
    readonly number: number | null
    readonly between: WorkBetween | null
  }
  worked_around: { readonly members: number; readonly number: number | null }
  retry_without_result: Open
  not_comparable: Open
  all_attempts_failed: Open & { readonly attempts: number }
  not_retried: Open & { readonly members: number }
  mixed: Open & { readonly fixed: number; readonly workedAround: number; readonly unresolved: number }
  run_continued: NoParams
  nothing_followed: NoParams
  task_never_passed: NoParams
}

export type FailureSummary = MessageOf<FailureSummaries>
export type Aftermath = MessageOf<Aftermaths>
