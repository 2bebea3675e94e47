import type { Comparison, Unasked } from './compare-policies'

/** What one try took; null where nothing tells. */
export interface Spent {
  durationMs: number | null
  inputTokens: number
  outputTokens: number
  costUsd: number | null
}

export interface TrySum {
  tries: number
  durationMs: number
  /** Tries whose time is known. */
  timed: number
  inputTokens: number
  outputTokens: number
  costUsd: number | null
  /** Tries whose cost is known. */
  costed: number
}

export interface ChainSum extends TrySum {
  chain: Comparison['chains'][number]
}

const NOTHING: TrySum = {
  tries: 0,
  durationMs: 0,
  timed: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: null,
  costed: 0,
}

const add = (a: TrySum, b: TrySum): TrySum => ({
  tries: a.tries + b.tries,
  durationMs: a.durationMs + b.durationMs,
  timed: a.timed + b.timed,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  costed: a.costed + b.costed,
})

const sumOf = (spent: Spent | undefined): TrySum => ({
  tries: 1,
  durationMs: spent?.durationMs ?? 0,
  timed: spent?.durationMs == null ? 0 : 1,
  inputTokens: spent?.inputTokens ?? 0,
  outputTokens: spent?.outputTokens ?? 0,
  costUsd: spent?.costUsd ?? null,
  costed: spent?.costUsd == null ? 0 : 1,
})

/** What the tries of one kind took, in all and in each chain that has some: the longest first. */
export function sumTries(
  { chains }: Pick<Comparison, 'chains'>,
  kind: Unasked,
  spent: ReadonlyMap<string, Spent>,
): { sum: TrySum; chains: ChainSum[] } {
  const sums = chains.flatMap((chain): ChainSum[] => {
    const tries = chain.tries.filter(({ unasked }) => unasked === kind)
    return tries.length === 0
      ? []
      : [{ chain, ...tries.map(({ id }) => sumOf(spent.get(id))).reduce(add, NOTHING) }]
  })
  return {
    sum: sums.reduce<TrySum>((sum, { chain: _chain, ...one }) => add(sum, one), NOTHING),
    chains: sums.sort(
      (a, b) => b.durationMs - a.durationMs || b.tries - a.tries || (a.chain.id < b.chain.id ? -1 : 1),
    ),
  }
}
