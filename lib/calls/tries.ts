import type { ChainAttempt, ExecutionChain } from '../api/decision-schemas'

/** A try as it is drawn: with its place, and what led to it. */
export interface Try {
  attempt: ChainAttempt
  /** From 1: as the source counts, else by time. */
  place: number
  current: boolean
  durationMs: number | null
  /** What led from the try before to this one; null for the first. */
  edge: TryEdge | null
}

export interface TryEdge {
  /** Time between the end of the try before and the start of this one. */
  gapMs: number | null
  /** The try before had succeeded already. */
  afterSuccess: boolean
  /** Why the try before asked for another one; `none` when it asked for none, `unknown` when nobody said. */
  reason: string
  /** Whether another try could help, as it was judged after the try before. */
  couldHelp: string
  /** That the two are tries of one work is said by the source, or inferred. */
  asserted: boolean
  /** How that is known. */
  rule: string
  /** Both tries had the same inputs, as the source tells them; null: it does not. */
  sameInputs: boolean | null
}

/** What a number of tries took; what is not known of some of them is not in the sum. */
export interface Spent {
  tries: number
  durationMs: number
  costUsd: number | null
  tokens: number
  /** Of some the time or the cost is not known. */
  atLeast: boolean
}

export interface ChainView {
  tries: Try[]
  /** Tries that brought nothing. */
  wasted: Spent
  /** Those of them that were made although another try could not have helped. */
  inVain: Spent
  first: Try | null
  last: Try | null
}

const FAILING: ReadonlySet<string> = new Set(['failed', 'retriable', 'interrupted', 'cancelled'])
export const isFailing = ({ outcome }: Pick<ChainAttempt, 'outcome'>): boolean => FAILING.has(outcome)

/** A chain of executions as it is drawn, with what its failing tries took. */
export function viewChain({ attempts, basis, rule }: ExecutionChain, currentId: string): ChainView {
  const tries = attempts.map((attempt, index): Try => {
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
  const failing = tries.filter(({ attempt }) => isFailing(attempt))
  return {
    tries,
    wasted: spentOn(failing),
    inVain: spentOn(failing.filter(({ edge }) => edge?.couldHelp === 'cannot-help')),
    first: failing[0] ?? null,
    last: failing.at(-1) ?? null,
  }
}

/** Chains that are worth drawing, in the order they came: work that was tried again, and of several chains of the same tries the first. */
export function chainsOfTries(chains: readonly ExecutionChain[]): ExecutionChain[] {
  const seen = new Set<string>()
  return chains.filter(({ attempts, attemptsLeftOut }) => {
    const tries = `${attempts
      .map(({ id }) => id)
      .sort()
      .join()} ${attemptsLeftOut}`
    return attempts.length > 1 && !seen.has(tries) && seen.add(tries)
  })
}

/** The tries before and after the current one; null where there is none. */
export function neighbourTries(
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
  // Tries that overlap lie in no time of one after the other.
  return Number.isNaN(ms) || ms < 0 ? null : ms
}

function spentOn(tries: readonly Try[]): Spent {
  const costs = tries.flatMap(({ attempt }) => attempt.costUsd ?? [])
  return {
    tries: tries.length,
    durationMs: tries.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    tokens: tries.reduce((sum, { attempt }) => sum + attempt.inputTokens + attempt.outputTokens, 0),
    atLeast: costs.length < tries.length || tries.some(({ durationMs }) => durationMs === null),
  }
}
