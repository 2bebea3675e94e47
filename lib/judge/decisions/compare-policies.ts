import type { Policy } from './policies'
import { chainsOf, NOT_REPLAYABLE, replay, type Replayed, type ReplayRun } from './replay'
import type { Cell } from './replay-cell'

/** Number of runs by stored outcome (or verdict under one policy) and verdict under another; `unknown` where none can be made. */
export type Matrix = Record<string, Record<string, number>>

/** One run under both policies; null where too little was kept. */
export interface Pair {
  id: string
  stored: string
  from: Replayed | null
  to: Replayed | null
}

/**
 * An attempt that was made although the one before it had come to an end under a policy: no retry of it was asked for. It was `needless` when
 * no attempt from it on succeeded, or the one before had succeeded already; else the policy would have stopped in front of a success, and it
 * `helped`.
 */
export type Unasked = 'needless' | 'helped'

export interface JudgedAttempt {
  id: string
  /** From 1, in the chain. */
  place: number
  stored: string
  verdict: Replayed | null
  /** Null for one that was asked for, or that is outside of the filter. */
  unrequested: Unasked | null
}

export interface Comparison {
  /** Runs that were asked for, in the given order. */
  pairs: Pair[]
  /** Of those, runs whose evidence was kept. */
  replayable: number
  /** Of the others, runs that were recorded and ask for a pattern that cannot be looked for here. */
  unsearchable: number
  /** Stored outcome × verdict under `to`. */
  stored: Matrix
  /** Verdict under `from` × verdict under `to`. */
  matrix: Matrix
  /** Runs with the same outcome under both, but another reason for it: by that outcome. */
  otherReason: Record<string, number>
  /** Chains that hold an attempt nobody asked for under `to`. */
  chains: { id: string; attempts: JudgedAttempt[] }[]
}

export const flips = ({ from, to }: Pair): boolean =>
  from !== null && to !== null && (from.outcome !== to.outcome || from.retryReason !== to.retryReason)

/** Whether a run is counted in a cell. */
export const isIn = ({ matrix, row, column }: Cell, { stored, from, to }: Pair): boolean =>
  matrix === 'stored'
    ? stored === row && (to?.outcome ?? NOT_REPLAYABLE) === column
    : from?.outcome === row && to?.outcome === column

/** Compares what two policies make of the same runs. */
export function comparePolicies(runs: readonly ReplayRun[], from: Policy, to: Policy): Comparison {
  const [old, now] = [replay(runs, from), replay(runs, to)]
  const result: Comparison = {
    pairs: [],
    replayable: 0,
    unsearchable: 0,
    stored: {},
    matrix: {},
    otherReason: {},
    chains: [],
  }
  for (const { id, outcome, asked, unsearchable } of runs) {
    if (!asked) continue
    if (unsearchable) result.unsearchable++
    const pair: Pair = { id, stored: outcome, from: old.get(id) ?? null, to: now.get(id) ?? null }
    result.pairs.push(pair)
    count(result.stored, outcome, pair.to?.outcome ?? NOT_REPLAYABLE)
    if (pair.from === null || pair.to === null) continue
    result.replayable++
    count(result.matrix, pair.from.outcome, pair.to.outcome)
    if (flips(pair) && pair.from.outcome === pair.to.outcome)
      result.otherReason[pair.to.outcome] = (result.otherReason[pair.to.outcome] ?? 0) + 1
  }
  for (const runsOfChain of chainsOf(runs)) {
    const attempts = judgeAttempts(runsOfChain, now)
    if (attempts.some(({ unrequested }) => unrequested !== null))
      result.chains.push({ id: runsOfChain[0]!.chain!.id, attempts })
  }
  return result
}

function judgeAttempts(runs: readonly ReplayRun[], verdicts: ReadonlyMap<string, Replayed>): JudgedAttempt[] {
  const outcomeOf = (run: ReplayRun): string => verdicts.get(run.id)?.outcome ?? run.outcome
  const lastSuccess = runs.findLastIndex((run) => outcomeOf(run) === 'succeeded')
  return runs.map((run, i) => {
    const before = runs[i - 1] && verdicts.get(runs[i - 1]!.id)
    const nobodyAsked = run.asked && before !== undefined && before.outcome !== 'retriable'
    const unrequested = !nobodyAsked
      ? null
      : before.outcome !== 'succeeded' && i <= lastSuccess
        ? 'helped'
        : 'needless'
    return {
      id: run.id,
      place: run.chain!.place,
      stored: run.outcome,
      verdict: verdicts.get(run.id) ?? null,
      unrequested,
    }
  })
}

function count(matrix: Matrix, row: string, column: string): void {
  const cells = (matrix[row] ??= {})
  cells[column] = (cells[column] ?? 0) + 1
}
