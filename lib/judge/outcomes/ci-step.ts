import type { OutcomeMessages } from '../../model/messages/outcome'
import type { Outcome } from '../../model/execution'
import { firstThatHolds, type RuleTable } from '../rule-table'
import { ended, judgementOf, type Ended, type Judgement } from './outcome'

interface StepFacts {
  conclusion: string
  /** How the records of the agent itself end. */
  inside: Judgement
}

/** Ends that a failed step contradicts, or completes. */
const NOT_FAILED: ReadonlySet<Outcome> = new Set(['succeeded', 'unknown', 'running'])
const WITHOUT_END: ReadonlySet<Outcome> = new Set(['unknown', 'running'])

/**
 * What the end of a CI step adds to what the agent's records say. A step fails for more than they hold: its turn limit, an output that is
 * missing, a process that died. Where the records tell of a failure themselves, theirs says more and stands.
 */
const STEP_RULES: RuleTable<
  StepFacts,
  Ended,
  Pick<OutcomeMessages, 'ci_step_failed' | 'ci_step_cancelled'>
> = [
  {
    id: 'ci_step_failed',
    when: ({ conclusion, inside }) => conclusion === 'failure' && NOT_FAILED.has(inside.outcome),
    verdict: ended('failed', 'cli'),
    params: ({ inside }) => ({ inside: insideOf(inside) }),
    basis: 'recorded',
  },
  {
    id: 'ci_step_cancelled',
    when: ({ conclusion, inside }) => conclusion === 'cancelled' && WITHOUT_END.has(inside.outcome),
    verdict: ended('cancelled'),
    params: () => ({}),
    basis: 'recorded',
  },
]

const insideOf = ({ outcome, rule, basis }: Judgement): OutcomeMessages['ci_step_failed']['inside'] => {
  if (rule === 'no_activity') return 'nothing'
  return outcome === 'succeeded' && basis === 'recorded' ? 'success' : 'no_result'
}

/**
 * How an execution ended, when the CI step that ran it is known to have ended.
 *
 * @param conclusion in the words of the CI system; null: not reported
 * @see docs/sources/outcome.md#ci-step
 */
export function judgeCiStep(conclusion: string | null, inside: Judgement): Judgement {
  const found = conclusion === null ? null : firstThatHolds(STEP_RULES, { conclusion, inside })
  return found === null ? inside : judgementOf(found)
}
