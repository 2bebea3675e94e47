import type { FailureRead } from '../model/execution'
import { countOf } from '../text/amounts'
import { identicalRetryWords, verdictWords } from './verdicts'

/** What the first look at an execution is headed by, on its page and in a terminal. */
export const FIRST_SCREEN = {
  retry: 'Would a retry help?',
  next: 'What to do next',
  others: 'Also failed',
  afterwards: 'Afterwards',
  nextOfCall: 'Next',
} as const

/**
 * A run that ended well, or whose failure asks for nothing, may contain something that somebody should know of, without anything to do about it
 * now.
 *
 * @param nextStep id of what to do next
 */
export const attentionLabel = (needed: boolean, outcome: string, nextStep?: string): string =>
  !needed
    ? 'No attention needed'
    : outcome === 'succeeded' || nextStep?.startsWith('no_action')
      ? 'Worth a look'
      : 'Needs attention'

/**
 * The first screen answers for the run; what would become of the identical call is said at the call. Rows of older
 * versions have one answer for both.
 */
export function callVerdict(read: Pick<FailureRead, 'verdict' | 'retry' | 'callRetry'>): string {
  if (read.callRetry) return identicalRetryWords(read.callRetry)
  const words = verdictWords(read)
  return read.verdict === undefined
    ? `For this call: ${words.charAt(0).toLowerCase()}${words.slice(1)}`
    : words
}

/** What became of failures of one kind, below one call of them. */
export const endedWords = ({ chains, failed, ended }: FailureRead): string =>
  chains.length > 1 ? `${failed} similar calls: ${ended}` : ended

export const leftOutWords = (n: number): string =>
  `${countOf(n, 'more failed call')} ${n === 1 ? 'of another kind' : 'of other kinds'}`

/** Above a failed call that is shown with its output: the first of two, the last of two, or the one that is shown. */
export function failingCallHeading(
  place: 'first' | 'last' | 'one',
  isMain: boolean,
  failedCalls: number,
): string {
  if (place === 'last') return 'Last failing call'
  if (place === 'one') return failedCalls === 1 ? 'Only failing call' : 'Main failing call'
  return isMain ? 'Main failing call' : 'First failing call'
}
