import type { CallRetryReasons } from '../../model/messages/call-retry'
import type { NextStep } from '../../model/messages/next-steps'
import type { RetryVerdict } from '../../model/retry'
import type { Prediction, RuleTable } from '../rule-table'
import type { CallFacts } from './call-facts'

/** Whether the identical call would succeed, and what to do about its failure. */
export interface CallAnswer {
  readonly retry: RetryVerdict
  readonly next: NextStep
}
export type CallRules = RuleTable<CallFacts, CallAnswer, CallRetryReasons>
export type CallVerdict = Prediction<CallAnswer, CallRetryReasons>
