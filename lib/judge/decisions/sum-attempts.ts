import type { Comparison, Unasked } from './compare-policies'

/** What one attempt took; null where nothing tells. */
export interface Spent {
  durationMs: number | null
  inputTokens: number
  outputTokens: number
  costUsd: number | null
}

export interface AttemptSum {
  attempts: number
  durationMs: number
  /** Attempts whose time is known. */
  timed: number
  inputTokens: number
  outputTokens: number
  costUsd: number | null
  /** Attempts whose cost is known. */
  costed: number
}

export interface ChainSum extends AttemptSum {
  chain: Comparison['chains'][number]
}

const NOTHING: AttemptSum = {
  attempts: 0,
  durationMs: 0,
  timed: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: null,
  costed: 0,
}

const add = (a: AttemptSum, b: AttemptSum): AttemptSum => ({
  attempts: a.attempts + b.attempts,
  durationMs: a.durationMs + b.durationMs,
  timed: a.timed + b.timed,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  costed: a.costed + b.costed,
})

const sumOf = (spent: Spent | undefined): AttemptSum => ({
  attempts: 1,
  durationMs: spent?.durationMs ?? 0,
  timed: spent?.durationMs == null ? 0 : 1,
  inputTokens: spent?.inputTokens ?? 0,
  outputTokens: spent?.outputTokens ?? 0,
  costUsd: spent?.costUsd ?? null,
  costed: spent?.costUsd == null ? 0 : 1,
})

/** What the attempts of one kind took, in all and in each chain that has some: the longest first. */
export function sumAttempts(
  { chains }: Pick<Comparison, 'chains'>,
  kind: Unasked,
  spent: ReadonlyMap<string, Spent>,
): { sum: AttemptSum; chains: ChainSum[] } {
  const sums = chains.flatMap((chain): ChainSum[] => {
    const attempts = chain.attempts.filter(({ unrequested }) => unrequested === kind)
    return attempts.length === 0
      ? []
      : [{ chain, ...attempts.map(({ id }) => sumOf(spent.get(id))).reduce(add, NOTHING) }]
  })
  return {
    sum: sums.reduce<AttemptSum>((sum, { chain: _chain, ...one }) => add(sum, one), NOTHING),
    chains: sums.sort(
      (a, b) => b.durationMs - a.durationMs || b.attempts - a.attempts || (a.chain.id < b.chain.id ? -1 : 1),
    ),
  }
}
