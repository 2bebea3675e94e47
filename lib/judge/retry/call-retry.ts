import { predict } from '../rule-table'
import { memoize } from '../../text/memoize'
import { isSameInput } from '../../model/same-input'
import type { WorkedCall } from '../calls/merge-calls'
import type { CallAnswer, CallRules, CallVerdict } from './call-answer'
import { focusOn } from '../causes/focus'
import { callFacts, type CallFacts, type FailureContext } from './call-facts'
import { CLASS_RULES } from './class-rules'
import { OTHER_RULES } from './other-rules'
import { PATTERN_RULES } from './pattern-rules'
import { habitAfter } from './habit'
import { MISSING_RULES } from './missing-rules'
import { workBetween } from './work-between'
import { STEP_RULES } from './step-rules'

/**
 * Would the identical call, made again at once in the same state, succeed? What was seen first, then the class of the
 * failure, then the words of its error, most exact ones first.
 *
 * @see docs/sources/cause.md#advice
 */
export const CALL_RETRY: CallRules = [
  {
    id: 'same_call_worked',
    when: (facts) => workedAtOnce(facts),
    verdict: ({ failed }) => ({ retry: 'helped', next: habitAfter(failed) }),
    params: ({ focus }) => ({ number: focus.next!.ordinal + 1 }),
  },
  {
    id: 'same_call_failed_again',
    when: (facts) => failedAgain(facts) !== null && ofClass(facts).retry !== 'wont_help',
    verdict: (facts) => ({ retry: 'wont_help', next: ofClass(facts).next }),
    params: (facts) => ({ number: failedAgain(facts)!.ordinal + 1 }),
  },
  ...CLASS_RULES,
  ...STEP_RULES,
  ...PATTERN_RULES,
  ...MISSING_RULES,
  ...OTHER_RULES,
]

/** The same call succeeded, and nothing that could have made the difference was done before it. */
const workedAtOnce = ({ recoveredBy, failed, focus, context }: CallFacts): boolean =>
  recoveredBy === 'same_call' &&
  failed === focus.failed.at(-1) &&
  workBetween(failed, focus.next!, context) === null

/** Which failed call of a chain follows each. */
const followers = memoize(
  (failed: readonly WorkedCall[]) => new Map(failed.map((call, index) => [call, failed[index + 1]])),
)

/** The next call of the same tool on the same target, where it failed by itself with the same input, with nothing done before it. */
function failedAgain({ failed, focus, context }: CallFacts): WorkedCall | null {
  const again = followers(focus.failed).get(failed)
  return again !== undefined &&
    again.failureClass !== 'sibling_cancelled' &&
    isSameInput(again.inputDigest, failed.inputDigest) === true &&
    workBetween(failed, again, context) === null
    ? again
    : null
}

/** The step that the rules further on would name. */
const ofClass = (facts: CallFacts): CallAnswer =>
  predict([...CLASS_RULES, ...STEP_RULES, ...PATTERN_RULES, ...MISSING_RULES, ...OTHER_RULES], facts)!.verdict

/** The last rule holds always. */
export const judgeCallRetry = (facts: CallFacts): CallVerdict => predict(CALL_RETRY, facts)!

/** Says of each failed call whether the same call would succeed, in place. */
export function judgeCalls(context: FailureContext): void {
  const { chains, byId } = context.work
  for (const { failedCallIds } of chains) {
    // What is known of the chain is worked out once: it may be as long as the session.
    const focus = focusOn(byId.get(failedCallIds[0]!)!, context.work)
    for (const call of focus.failed) {
      const { verdict, rule, params } = judgeCallRetry(callFacts({ ...focus, call }, context))
      call.retry = { verdict: verdict.retry, rule, params }
    }
  }
}
