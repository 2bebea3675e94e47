import { UNKNOWN, type VerdictWords } from './decision'
import { recordedContent } from './recorded-content'

/** What a source recorded of a run's verdict; absent where it says nothing. */
export interface RecordedVerdict {
  success?: boolean
  subtype?: string
  cliSubtype?: string
  /** Of the last record of its history, noted before the gates. */
  needsRetry?: boolean
  retryReason?: string
}

/** Subtypes that only a verdict which asks for another attempt has; the budget may have taken that back. */
const RETRIED_SUBTYPES: Readonly<Record<string, string>> = {
  stale: 'stale',
  idle_stall: 'stale',
  path_contamination: 'path_contamination',
  zero_writes: 'zero_writes',
}

/**
 * The verdict of the source in our words. Of the content state it keeps what its subtypes tell; whether a failure was tried again is in its
 * history only, or in a subtype that says so; a reason of the history that the budget ended stands there as the last word.
 *
 * @param isError whether the session's own result record reports an error; null: there is none, or it does not say
 */
export function recordedWords(
  { success, subtype, cliSubtype, needsRetry, retryReason }: RecordedVerdict,
  isError: boolean | null,
): VerdictWords | null {
  if (success === undefined) return null
  const contentState = recordedContent({ success, subtype, cliSubtype, isError })
  const words = { contentState, subtype: subtype ?? UNKNOWN }
  if (success) return { ...words, outcome: 'succeeded', retryReason: 'none' }
  const bySubtype = subtype === undefined ? undefined : RETRIED_SUBTYPES[subtype]
  if (needsRetry === undefined && bySubtype === undefined)
    return { ...words, outcome: 'failed', retryReason: UNKNOWN }
  const asked = needsRetry ?? true
  return {
    ...words,
    outcome: asked ? 'retriable' : 'failed',
    retryReason: retryReason ?? bySubtype ?? UNKNOWN,
  }
}
