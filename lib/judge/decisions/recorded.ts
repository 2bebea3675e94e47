import { UNKNOWN, type VerdictWords } from './decision'

/** What a source recorded of a run's verdict; absent where it says nothing. */
export interface RecordedVerdict {
  success?: boolean
  subtype?: string
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
 * The verdict of the source in our words. It never keeps the content state; whether a failure was tried again stands in its history only, or
 * in a subtype that says so; a reason of the history that the budget ended stands there as the last word.
 */
export function recordedWords({
  success,
  subtype,
  needsRetry,
  retryReason,
}: RecordedVerdict): VerdictWords | null {
  if (success === undefined) return null
  const words = { contentState: UNKNOWN, subtype: subtype ?? UNKNOWN }
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
