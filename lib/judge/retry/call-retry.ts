import { predict } from '../rule-table'
import type { CallRules, CallVerdict } from './call-answer'
import type { CallFacts } from './call-facts'
import { CLASS_RULES } from './class-rules'
import { OTHER_RULES } from './other-rules'
import { PATTERN_RULES } from './pattern-rules'
import { habitAfter } from './habit'
import { MISSING_RULES } from './missing-rules'
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
    when: ({ recoveredBy }) => recoveredBy === 'same_call',
    verdict: ({ failed }) => ({ retry: 'helped', next: habitAfter(failed) }),
    params: ({ focus }) => ({ number: focus.next!.ordinal + 1 }),
  },
  ...CLASS_RULES,
  ...STEP_RULES,
  ...PATTERN_RULES,
  ...MISSING_RULES,
  ...OTHER_RULES,
]

/** The last rule holds always. */
export const judgeCallRetry = (facts: CallFacts): CallVerdict => predict(CALL_RETRY, facts)!
