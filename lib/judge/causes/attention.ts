import type { AttentionMessages } from '../../model/messages/attention'
import type { Attention } from '../../model/attention'
import type { Outcome } from '../../model/execution'
import { firstThatHolds, type RuleTable } from '../rule-table'
import type { LeadingVerdict } from './leading'

interface AttentionFacts {
  outcome: Outcome
  outcomeRule: string
  failedCalls: number
  leads: Pick<LeadingVerdict, 'rule' | 'params'> | null
}

/** Rules of an outcome by which a session breaks off while it may still be at work: that alone is no trouble. */
const MAY_GO_ON: ReadonlySet<string> = new Set([
  'left_open',
  'call_without_result',
  'unanswered_prompt',
  'no_activity',
])

const leadingRule = (
  id: keyof AttentionMessages,
): RuleTable<AttentionFacts, boolean, AttentionMessages>[number] =>
  ({
    id,
    when: ({ leads }: AttentionFacts) => leads?.rule === id,
    verdict: true,
    params: ({ leads }: AttentionFacts) => leads!.params,
  }) as RuleTable<AttentionFacts, boolean, AttentionMessages>[number]

/** Whether a person should look at an execution. */
const ATTENTION_RULES: RuleTable<AttentionFacts, boolean, AttentionMessages> = [
  {
    id: 'run_failed',
    when: ({ outcome }) => outcome === 'failed' || outcome === 'retriable',
    verdict: true,
    params: () => ({}),
  },
  {
    id: 'run_stopped',
    when: ({ outcome }) => outcome === 'interrupted' || outcome === 'cancelled',
    verdict: true,
    params: () => ({}),
  },
  leadingRule('unresolved_work'),
  leadingRule('refused_by_person'),
  leadingRule('failed_repeatedly'),
  leadingRule('worked_around'),
  leadingRule('fixed_after_failures'),
  leadingRule('appeared_later'),
  leadingRule('interrupted_by_person'),
  {
    id: 'end_unknown',
    when: ({ outcome, outcomeRule }) => outcome === 'unknown' && !MAY_GO_ON.has(outcomeRule),
    verdict: true,
    params: () => ({}),
  },
  {
    id: 'minor_failures',
    when: ({ failedCalls }) => failedCalls > 0,
    verdict: false,
    params: () => ({}),
  },
  { id: 'nothing_failed', when: () => true, verdict: false, params: () => ({}) },
]

/** @returns whether it needs a look, with the rule that decided. Source: docs/cause-accuracy.md. */
export function judgeAttention(facts: AttentionFacts): Attention {
  const { verdict, rule, params } = firstThatHolds(ATTENTION_RULES, facts)!
  return { needed: verdict, rule, params }
}
