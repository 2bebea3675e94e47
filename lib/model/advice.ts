import type { RetryAnswer } from './execution'
import type { Aftermath, FailureSummary } from './messages/failures'
import type { NextStep } from './messages/next-steps'
import type { RunRetryReason } from './messages/run-retry'
import type { RetryVerdict, RetryVerdicts } from './retry'

/** How lists, addresses and stored rows spell a verdict on a run. */
export const RETRY_ANSWER_OF: Readonly<Record<RetryVerdict, RetryAnswer>> = {
  helped: 'helped',
  would_help: 'could-help',
  wont_help: 'cannot-help',
  unclear: 'unknown',
}

/** Whether trying again would help, why, and what to do now: an inference, as facts. */
export interface RetryAdvice extends RetryVerdicts {
  readonly because: RunRetryReason
  readonly next: NextStep
}

/** Failures of one tool with the same error, and what became of them. */
export interface FailureAdvice extends RetryAdvice {
  /** Numbers of their retry chains; empty for requests to the model. */
  readonly chains: readonly number[]
  /** Those of them whose work was done another way later, which is inferred. */
  readonly doneOtherwise?: readonly number[]
  /** Failed calls (or requests). */
  readonly failed: number
  readonly what: FailureSummary
  readonly ended: Aftermath
}

export interface FailuresAdvice {
  /** Everything that failed inside the run, kind by kind; the one that the cause is about first. */
  readonly failures?: readonly FailureAdvice[]
  /** Failed calls of the kinds that are not listed. */
  readonly failuresLeftOut?: number
}

/** The advice on an execution as it is judged; rows keep it with its texts (`Advice`). */
export interface ExecutionAdvice extends RetryAdvice, FailuresAdvice {}
