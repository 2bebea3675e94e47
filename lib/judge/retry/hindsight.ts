import type { RetryAnswer } from '../../model/execution'

/** What the attempts of a chain say of each other. */
export interface TriedAttempt {
  outcome: string
  retry: string
  contentState: string
  retryReason: string
  cause: { text: string; rule: string | null; category: string } | null
}

/** Time alone may help against these: that they came again says nothing of the next attempt. */
const PASSES_WITH_TIME: ReadonlySet<string> = new Set(['api_error', 'interruption'])
const COULD_HELP: RetryAnswer = 'could-help'

/**
 * How often an attempt in a row was repeated that failed in the same way: an answer of "could help" is then refuted, by what happened.
 *
 * @param attempts of one chain, in their order
 * @returns for each attempt how many others beside it in the row failed alike; 0 where nothing is refuted
 */
export function timesNotHelped(attempts: readonly TriedAttempt[]): number[] {
  const keys = attempts.map(alikeKey)
  return attempts.map(({ retry }, at) => {
    const key = keys[at]
    if (key === null || retry !== COULD_HELP) return 0
    let [from, to] = [at, at]
    while (keys[from - 1] === key) from--
    while (keys[to + 1] === key) to++
    return to - from
  })
}

/** Failures with the same key failed in the same way; null: not to be compared. Numbers in a text are times and sizes. */
function alikeKey({ outcome, cause, contentState, retryReason }: TriedAttempt): string | null {
  if ((outcome !== 'failed' && outcome !== 'retriable') || cause === null) return null
  if (PASSES_WITH_TIME.has(cause.category)) return null
  return JSON.stringify([outcome, cause.rule, cause.text.replace(/\d+/g, '#'), contentState, retryReason])
}
