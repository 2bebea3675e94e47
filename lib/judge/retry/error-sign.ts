import type { CallRetryReasons } from '../../model/messages/call-retry'
import type { NextStep, NextSteps } from '../../model/messages/next-steps'
import type { NoParams } from '../../model/message'
import type { RetryVerdict } from '../../model/retry'
import type { CallFacts } from './call-facts'
import type { CallAnswer, CallRules } from './call-answer'
import { noParams } from './no-params'

type PlainReason = {
  [Id in keyof CallRetryReasons]: CallRetryReasons[Id] extends NoParams ? Id : never
}[keyof CallRetryReasons]
type StepOnError = {
  [Id in keyof NextSteps]: { error: string } extends NextSteps[Id] ? Id : never
}[keyof NextSteps]

/** A step that quotes the error. */
export const onError = (id: StepOnError, { quote }: CallFacts): NextStep =>
  ({ id, params: { error: quote } }) as NextStep

/** A rule that holds where the error says a thing in known words. */
export const errorSign = (
  id: PlainReason,
  words: RegExp,
  retry: RetryVerdict,
  next: StepOnError,
): CallRules[number] =>
  ({
    id,
    when: ({ error }: CallFacts) => words.test(error),
    verdict: (facts: CallFacts): CallAnswer => ({ retry, next: onError(next, facts) }),
    params: noParams,
  }) as CallRules[number]
