import type { FailedCallsParams } from '../model/messages/cause'
import { count, some } from './phrases'

const ONE: Record<NonNullable<FailedCallsParams['unresolvedOne']>, string> = {
  retry_without_result: 'its retry has no result',
  not_comparable: 'unclear if retried',
  not_retried: 'not retried',
  not_fixed: 'not fixed on retry',
}

/**
 * What became of the calls that failed: `3 of 28 calls failed: 1 problem fixed on retry, 2 worked around`. The numbers
 * are those of the counts (calls, chains, recovered chains) in the same words, so that a sentence and a list beside it
 * cannot seem to contradict each other.
 */
export function failedCallsWords(params: FailedCallsParams, when: '' | ' along the way' = ''): string {
  const { failed, calls, cancelled, fixedOnRetry, workedAround, unresolved, unresolvedOne } = params
  const problems = fixedOnRetry + workedAround + unresolved
  const start = `${count(failed)} of ${some(calls, 'call')} failed${when}`
  if (problems === 1) {
    const became = fixedOnRetry ? 'fixed on retry' : workedAround ? 'worked around' : ONE[unresolvedOne!]
    return unresolvedOne === 'not_comparable' || failed === 1
      ? `${start}; ${became}`
      : `${start}: one problem, ${became}`
  }
  const withOther =
    cancelled === 0 || cancelled === failed ? '' : ` (${count(cancelled)} cancelled with another call)`
  const where = `${withOther}${problems === failed ? ';' : `: ${count(problems)} problems,`}`
  const each = problems === 2 ? 'both' : 'all'
  if (unresolved === problems) return `${start}${where} none fixed on retry, unclear if worked around`
  if (fixedOnRetry === problems) return `${start}${where} ${each} fixed on retry`
  if (workedAround === problems) return `${start}${where} ${each} worked around`
  const [first, ...rest] = (
    [
      [fixedOnRetry, 'fixed on retry'],
      [workedAround, 'worked around'],
      [unresolved, 'unresolved'],
    ] as const
  ).filter(([n]) => n > 0)
  const parts = [
    `${some(first![0], 'problem')} ${first![1]}`,
    ...rest.map(([n, how]) => `${count(n)} ${how}`),
  ]
  return `${start}${withOther}: ${parts.join(', ')}`
}
