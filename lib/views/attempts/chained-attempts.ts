import type { ChainAttempt, ExecutionChain } from './chain'

/** An attempt as it is drawn: with its place, and what led to it. */
export interface ChainedAttempt {
  attempt: ChainAttempt
  /** From 1: as the source counts, else by time. */
  place: number
  current: boolean
  durationMs: number | null
  /** What led from the attempt before to this one; null for the first. */
  edge: AttemptEdge | null
}

export interface AttemptEdge {
  /** Time between the end of the attempt before and the start of this one. */
  gapMs: number | null
  /** The try before had succeeded already. */
  afterSuccess: boolean
  /** Why the attempt before asked for another one; `none` when it asked for none, `unknown` when nobody said. */
  reason: string
  /** Whether another attempt could help, as it was judged after the attempt before. */
  couldHelp: string
  /** That the two are attempts of one work is said by the source, or inferred. */
  asserted: boolean
  /** How that is known. */
  rule: string
  /** Whether both attempts had the same inputs, by the source; null: unknown. */
  sameInputs: boolean | null
}

/** What a number of attempts took; what is not known of some of them is not in the sum. */
export interface Spent {
  attempts: number
  durationMs: number
  costUsd: number | null
  tokens: number
  /** Of some the time or the cost is not known. */
  atLeast: boolean
}

export interface ChainView {
  attempts: ChainedAttempt[]
  /** Attempts that brought nothing. */
  wasted: Spent
  /** Those of them that were made although another attempt could not have helped. */
  inVain: Spent
  first: ChainedAttempt | null
  last: ChainedAttempt | null
}

const FAILING: ReadonlySet<string> = new Set(['failed', 'retriable', 'interrupted', 'cancelled'])
export const isFailing = ({ outcome }: Pick<ChainAttempt, 'outcome'>): boolean => FAILING.has(outcome)

/** A chain of executions as it is drawn, with what its failing attempts took. */
export function viewChain({ attempts, basis, rule }: ExecutionChain, currentId: string): ChainView {
  const shown = attempts.map((attempt, index): ChainedAttempt => {
    const before = attempts[index - 1]
    return {
      attempt,
      place: attempt.attempt ?? index + 1,
      current: attempt.id === currentId,
      durationMs: between(attempt.startedAt, attempt.endedAt),
      edge:
        before === undefined
          ? null
          : {
              gapMs: between(before.endedAt, attempt.startedAt),
              afterSuccess: before.outcome === 'succeeded',
              reason: before.retryReason,
              couldHelp: before.retry,
              asserted: basis === 'recorded',
              rule,
              sameInputs:
                before.inputs === undefined || attempt.inputs === undefined
                  ? null
                  : before.inputs === attempt.inputs,
            },
    }
  })
  const failing = shown.filter(({ attempt }) => isFailing(attempt))
  return {
    attempts: shown,
    wasted: spentOn(failing),
    inVain: spentOn(failing.filter(({ edge }) => edge?.couldHelp === 'cannot-help')),
    first: failing[0] ?? null,
    last: failing.at(-1) ?? null,
  }
}

/** Chains that are worth drawing, in the order they came: work that was tried again, and of several chains of the same attempts the first. */
export function chainsOfAttempts(chains: readonly ExecutionChain[]): ExecutionChain[] {
  const seen = new Set<string>()
  return chains.filter(({ attempts, attemptsLeftOut }) => {
    const shown = `${attempts
      .map(({ id }) => id)
      .sort()
      .join()} ${attemptsLeftOut}`
    return attempts.length > 1 && !seen.has(shown) && seen.add(shown)
  })
}

/** The attempts before and after the current one; null where there is none. */
export function neighbourAttempts(
  { attempts }: ExecutionChain,
  currentId: string,
): { previous: string | null; next: string | null } {
  const at = attempts.findIndex(({ id }) => id === currentId)
  return at < 0
    ? { previous: null, next: null }
    : { previous: attempts[at - 1]?.id ?? null, next: attempts[at + 1]?.id ?? null }
}

function between(from: string | null, to: string | null): number | null {
  const ms = Date.parse(to ?? '') - Date.parse(from ?? '')
  // Attempts that overlap lie in no time of one after the other.
  return Number.isNaN(ms) || ms < 0 ? null : ms
}

function spentOn(attempts: readonly ChainedAttempt[]): Spent {
  const costs = attempts.flatMap(({ attempt }) => attempt.costUsd ?? [])
  return {
    attempts: attempts.length,
    durationMs: attempts.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    tokens: attempts.reduce((sum, { attempt }) => sum + attempt.inputTokens + attempt.outputTokens, 0),
    atLeast: costs.length < attempts.length || attempts.some(({ durationMs }) => durationMs === null),
  }
}
