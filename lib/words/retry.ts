import type { Advice, FailureRead, StoredMessage } from '../model/execution'
import { RETRY_ANSWER_OF, type ExecutionAdvice, type FailureAdvice, type RetryAdvice } from '../model/advice'
import type { RetryVerdict, RetryVerdicts } from '../model/retry'
import { storedText, type Catalogue } from './catalogue'
import { AFTERMATH_WORDS, aftermathWords, FAILURE_SUMMARY_WORDS, failureSummaryWords } from './failure-list'
import { NEXT_STEP_WORDS, nextStepWords } from './next-steps'
import { RUN_RETRY_WORDS, runRetryWords } from './run-retry'

const SAME_INPUT: Record<RetryVerdict, string> = {
  helped: 'Same input: yes',
  would_help: 'Same input: maybe',
  wont_help: 'Same input: no',
  unclear: 'Same input: unclear',
}

/** The verdicts in words where the work was done in the end, for the same call and for what worked; else undefined. */
export function recoveryWords({
  callRetry,
  recoveredBy,
  afterOtherWork,
}: Omit<RetryVerdicts, 'runRetry'>): string | undefined {
  const same = SAME_INPUT[callRetry]
  switch (recoveredBy) {
    case 'same_call':
      return afterOtherWork ? 'Yes: the same call worked after other work' : 'Yes: the same call worked'
    case 'changed_input':
      return `${same}. Changed input: worked`
    case 'later_attempt':
      return `${same}. Later call: worked`
    case 'another_way':
      return `${same}. Another way${afterOtherWork ? ', after other work' : ''}: worked`
    case null:
      return undefined
  }
}

/** The same of a row, whose text of the day stays where its facts are not here. */
export function storedVerdict(
  stored: Partial<RetryVerdicts> & { verdict?: string | null },
): string | undefined {
  const { callRetry, recoveredBy, afterOtherWork = null } = stored
  return callRetry && recoveredBy
    ? recoveryWords({ callRetry, recoveredBy, afterOtherWork })
    : (stored.verdict ?? undefined)
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
  const verdict = recoveryWords({ callRetry, recoveredBy, afterOtherWork })
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
