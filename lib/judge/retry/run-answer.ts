import type { NextStep } from '../../model/messages/next-steps'
import type { RunRetryReasons } from '../../model/messages/run-retry'
import type { RetryVerdict, RetryVerdicts } from '../../model/retry'
import type { Prediction, RuleTable } from '../rule-table'

/** Both verdicts, and what to do now. */
export interface RunAnswer extends RetryVerdicts {
  readonly next: NextStep
}
export type RunRules<Facts> = RuleTable<Facts, RunAnswer, RunRetryReasons>
export type RunVerdict = Prediction<RunAnswer, RunRetryReasons>

/** An answer about the run as a whole: where nothing more is known, the call shares it. */
export const answer = (retry: RetryVerdict, next: NextStep): RunAnswer => ({
  runRetry: retry,
  callRetry: retry,
  recoveredBy: null,
  afterOtherWork: null,
  next,
})
