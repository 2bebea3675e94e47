import { passGates, type Gated, type GateFacts } from './gates'
import type { Policy } from './policies'
import { step, type RuleStep } from '../../model/rule-step'
import { concludeVerdict } from './verdict'
import type { VerdictFacts } from './verdict-facts'
import type { ContentState } from './vocabulary'

/**
 * How an attempt is judged: by its session; as one that went silent, whose output is looked at only to see whether it had ended after all;
 * as one that was stopped while it stood still, whose output is not looked at; or
 * as one in whose output the source of the rules would have raised, which ends there.
 */
export type Way =
  | { kind: 'session'; recovery: readonly RuleStep[]; verdict: VerdictFacts }
  | { kind: 'stale'; verdict: VerdictFacts | null }
  | { kind: 'idle_stall' }
  | { kind: 'crashed'; why: string }

/** Everything that a decision is made of, without the texts. */
export interface DecisionFacts {
  way: Way
  gates: GateFacts
}

export interface Decided extends Gated {
  /** Of the session that the guards saw; null when none was looked at. */
  contentState: ContentState | null
  /** A stale attempt had ended well after all. */
  recoveredFromStale: boolean
}

/** The decision on one attempt under a policy; the same facts give the same decision and trace. */
export function decide({ way, gates }: DecisionFacts, policy: Policy): Decided {
  if (way.kind === 'session') {
    const verdict = concludeVerdict(way.verdict, policy)
    const gated = passGates({ ...verdict, trace: [...way.recovery, ...verdict.trace] }, gates)
    return { ...gated, contentState: verdict.contentState, recoveredFromStale: false }
  }
  if (way.kind === 'stale') return decideStale(way.verdict, gates, policy)
  return way.kind === 'idle_stall'
    ? decideStalled('idle_stall', [step('retry', 'idle_stall:killed', {}, 'retry, stale')], gates)
    : CRASHED
}

const crash = { success: false, needsRetry: false, retryReason: 'none', subtype: 'crashed' }
const CRASHED: Decided = {
  ...crash,
  outcome: 'failed',
  trace: [],
  recorded: crash,
  contaminated: false,
  contentState: null,
  recoveredFromStale: false,
}

function decideStale(facts: VerdictFacts | null, gates: GateFacts, policy: Policy): Decided {
  // Only whether it succeeded is asked; what the guards would say is not.
  const asked = facts === null ? null : concludeVerdict(facts, policy)
  const looked = asked?.trace.filter(({ stage }) => stage === 'content' || stage === 'success') ?? []
  if (!asked?.successSignal) return decideStalled('stale', looked, gates)
  const recovered = { success: true, needsRetry: false, retryReason: 'none', subtype: 'recovered_from_stale' }
  const trace = [...looked, step('retry', 'stale:recovered', {}, 'success')]
  return {
    ...recovered,
    outcome: 'succeeded',
    trace,
    recorded: recovered,
    contaminated: false,
    contentState: null,
    recoveredFromStale: true,
  }
}

/** Nothing but the budget looks at it. */
function decideStalled(
  subtype: 'stale' | 'idle_stall',
  trace: RuleStep[],
  { earlierInARow, commandIsCut, maxConsecutiveRetries }: GateFacts,
): Decided {
  const gated = passGates(
    { success: false, needsRetry: true, retryReason: 'stale', subtype, trace },
    {
      contaminated: null,
      warnings: 0,
      writeCount: 0,
      expectsWrites: false,
      earlierInARow,
      commandIsCut,
      maxConsecutiveRetries,
    },
  )
  return { ...gated, contentState: null, recoveredFromStale: false }
}
