import { decide, type DecisionFacts } from './decide'
import type { Policy } from './policies'

/** One execution as it is replayed. */
export interface ReplayRun {
  id: string
  /** What its verdict is made of; null when too little was kept. */
  facts: DecisionFacts | null
  /** It has no facts for one reason only: it asks for patterns that cannot be looked for here. */
  unsearchable?: boolean
  /** As it is stored. */
  outcome: string
  /** Chain of attempts that it is in, and its place in the order of the attempts; null outside of one. */
  chain: { id: string; place: number } | null
  /** False: only here for what came before or after it in its chain. */
  asked: boolean
}

/** A verdict under a policy, with the row of attempts before it counted under the same policy. */
export interface Replayed {
  outcome: string
  retryReason: string
  contentState: string
}

/** What stands for a run whose verdict cannot be made again. */
export const NOT_REPLAYABLE = 'unknown'

/**
 * Replays runs under a policy. An attempt that follows others of its chain is given the row of retries that the policy itself would have made of
 * them, so that the budget runs out where it would have.
 *
 * @returns by id; runs without facts are left out
 */
export function replay(runs: readonly ReplayRun[], policy: Policy): Map<string, Replayed> {
  const verdicts = new Map<string, Replayed>()
  const judge = (run: ReplayRun, earlierInARow: number | null): boolean => {
    if (run.facts === null) return false
    const { gates } = run.facts
    const { outcome, retryReason, contentState, recorded } = decide(
      earlierInARow === null
        ? run.facts
        : { ...run.facts, gates: { ...gates, earlierInARow, commandIsCut: false } },
      policy,
    )
    verdicts.set(run.id, { outcome, retryReason, contentState: contentState ?? NOT_REPLAYABLE })
    return recorded.needsRetry
  }
  for (const run of runs) if (run.chain === null) judge(run, null)
  for (const attempts of chainsOf(runs)) {
    let inARow = 0
    for (const run of attempts) inARow = judge(run, inARow) ? inARow + 1 : 0
  }
  return verdicts
}

/** The attempts of each chain, in their order. */
export function chainsOf(runs: readonly ReplayRun[]): ReplayRun[][] {
  const chains = new Map<string, ReplayRun[]>()
  for (const run of runs) {
    if (run.chain === null) continue
    const attempts = chains.get(run.chain.id)
    if (attempts) attempts.push(run)
    else chains.set(run.chain.id, [run])
  }
  return [...chains.values()].map((attempts) => attempts.sort((a, b) => a.chain!.place - b.chain!.place))
}
