import type { Advice, FailureRead, StoredMessage } from '../model/execution'
import { RETRY_ANSWER_OF, type ExecutionAdvice, type FailureAdvice, type RetryAdvice } from '../model/advice'
import type { RetryVerdicts } from '../model/retry'
import { formatCount } from '../text/amounts'
import { storedText, type Catalogue } from './catalogue'
import { AFTERMATH_WORDS, aftermathWords, FAILURE_SUMMARY_WORDS, failureSummaryWords } from './failure-list'
import { NEXT_STEP_WORDS, nextStepWords } from './next-steps'
import { RUN_RETRY_WORDS, runRetryWords } from './run-retry'

/**
 * The verdict on the run in words where the work was done in the end: by what it was done. Whether the identical call
 * would have worked is the call's verdict, and is shown at the call. Undefined: it was not done.
 */
export function recoveryWords({
  recoveredBy,
  afterOtherWork,
}: Pick<RetryVerdicts, 'recoveredBy' | 'afterOtherWork'>): string | undefined {
  const after = afterOtherWork ? ' after other work' : ''
  switch (recoveredBy) {
    case 'same_call':
      return `Helped: the same call worked${after}`
    case 'changed_input':
      return 'Helped: it worked with a different input'
    case 'later_attempt':
      return 'Helped: a later call worked'
    case 'another_way':
      return `Helped: it worked another way${after}`
    case null:
      return undefined
  }
}

/** The same of a row, whose text of the day stays where its facts are not here. */
export function storedVerdict(
  stored: Partial<RetryVerdicts> & { verdict?: string | null },
): string | undefined {
  const { recoveredBy, afterOtherWork = null } = stored
  return recoveredBy ? recoveryWords({ recoveredBy, afterOtherWork }) : (stored.verdict ?? undefined)
}

/** An advice with its texts of the day, as rows keep it. */
export const storedAdvice = ({ failures, failuresLeftOut, ...advice }: ExecutionAdvice): Advice => ({
  ...worded(advice),
  ...(failures && { failures: failures.map(storedFailure) }),
  ...(failuresLeftOut !== undefined && { failuresLeftOut }),
})

const storedFailure = (failure: FailureAdvice): FailureRead => ({
  chains: [...failure.chains],
  ...(failure.doneOtherwise && { doneOtherwise: [...failure.doneOtherwise] }),
  failed: failure.failed,
  what: failureSummaryWords(failure.what),
  ended: aftermathWords(failure.ended),
  ...worded(failure),
  summary: failure.what,
  aftermath: failure.ended,
})

type Worded = Omit<Advice, 'failures' | 'failuresLeftOut'>

function worded({ because, next, runRetry, callRetry, recoveredBy, afterOtherWork }: RetryAdvice): Worded {
  const verdict = recoveryWords({ recoveredBy, afterOtherWork })
  return {
    retry: RETRY_ANSWER_OF[runRetry],
    ...(verdict !== undefined && { verdict }),
    retryBecause: runRetryWords(because),
    next: nextStepWords(next),
    runRetry,
    callRetry,
    recoveredBy,
    afterOtherWork,
    because,
    step: next,
  }
}

/** A stored advice in today's words; what an older or newer version alone knows keeps its text of the day. */
export const adviceToday = ({ failures, ...advice }: Advice): Advice => ({
  ...wordedToday(advice),
  ...(failures && { failures: failures.map(failureToday) }),
})

const failureToday = (failure: FailureRead): FailureRead => ({
  ...wordedToday(failure),
  what: today(FAILURE_SUMMARY_WORDS, failure.summary, failure.what),
  ended: today(AFTERMATH_WORDS, failure.aftermath, failure.ended),
})

/** The words of the verdict where the same job was started again and failed in the same way. */
export const didNotHelpWords = (times: number): string =>
  times === 1 ? 'Did not help' : `Did not help ${formatCount(times)} times`

/** An advice on a run that other attempts of its chain refuted. */
export const refutedAdvice = (advice: Advice, times: number): Advice => ({
  ...advice,
  runRetry: 'unclear',
  verdict: didNotHelpWords(times),
  ...wordedToday({
    retry: RETRY_ANSWER_OF.unclear,
    retryBecause: '',
    next: '',
    because: { id: 'did_not_help', params: { attempts: times + 1 } },
    step: { id: 'change_before_rerun', params: {} },
  }),
})

const today = <Messages>(
  words: Catalogue<Messages>,
  stored: StoredMessage | undefined,
  text: string,
): string => storedText(words, { id: stored?.id ?? null, params: stored?.params ?? null, text })

function wordedToday<A extends Worded>(advice: A): A {
  const verdict = storedVerdict(advice)
  return {
    ...advice,
    ...(verdict !== undefined && { verdict }),
    retryBecause: today(RUN_RETRY_WORDS, advice.because, advice.retryBecause),
    next: today(NEXT_STEP_WORDS, advice.step, advice.next),
  }
}
