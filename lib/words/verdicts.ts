import type { RetryVerdict } from '../model/retry'
const RETRY_WORDS: Record<string, string> = {
  helped: 'A retry helped',
  'could-help': 'Retrying may help',
  'cannot-help': "Retrying won't help",
  unknown: 'Unclear if a retry would help',
}

/** The answer to "would a retry help?": the advice's own verdict if it has one; an unknown answer is shown as it is. */
export const verdictWords = ({ verdict, retry }: { verdict?: string; retry: string }): string =>
  verdict ?? (Object.hasOwn(RETRY_WORDS, retry) ? RETRY_WORDS[retry]! : retry)

/** Whether the identical call, made again at once, would succeed. */
export const CALL_VERDICTS: Record<RetryVerdict, string> = {
  helped: 'helped',
  would_help: 'would help',
  wont_help: "won't help",
  unclear: 'unclear',
}

/** The same where it is beside the run's verdict, with which it must not be confused. */
export const identicalRetryWords = (verdict: RetryVerdict): string =>
  `Identical retry: ${CALL_VERDICTS[verdict]}`
