import type { CallRetryReason } from './messages/call-retry'

/** Would another attempt help? `helped`: one did. */
export const RETRY_VERDICTS = ['helped', 'would_help', 'wont_help', 'unclear'] as const
export type RetryVerdict = (typeof RETRY_VERDICTS)[number]

/** What brought the work to its end after it had failed. */
export const RECOVERIES = ['same_call', 'another_way', 'changed_input', 'later_attempt'] as const
export type Recovery = (typeof RECOVERIES)[number]

/** Both verdicts on a failure, and how the work was done in the end. */
export interface RetryVerdicts {
  /** Whether starting the job again would help. */
  readonly runRetry: RetryVerdict
  /** Whether the identical call, made again at once in the same state, would succeed. */
  readonly callRetry: RetryVerdict
  /** Null: nothing did, as far as is known. */
  readonly recoveredBy: Recovery | null
  /**
   * Other work was done before the same call, or another way, succeeded. False for a changed input and for a later
   * call, of which it is not asked; null where nothing recovered.
   */
  readonly afterOtherWork: boolean | null
}

/** The verdict on the identical call, with the rule that gave it; inferred always. */
export interface CallRetry {
  readonly verdict: RetryVerdict
  readonly rule: CallRetryReason['id']
  readonly params: CallRetryReason['params']
}

/** The same as a row keeps it: with the text of the day, and with an id that only another version may know. */
export interface StoredCallRetry {
  verdict: RetryVerdict
  rule: string
  params: unknown
  text: string
}
