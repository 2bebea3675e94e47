import { UNKNOWN, type VerdictWords } from './decision'
import { retryReasonWords } from '../../words/decision-values'

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

const SUBTYPE_WORDS: Record<string, string> = {
  success: 'a success',
  recovered_from_stale: 'a success that was found after the run had gone silent',
  adjudicated_failure: 'a failure: the result does not hold what was asked for',
  missing_completion_marker: 'a failure: the completion marker is not in the result',
  empty_result: 'a failure: the result is blank',
  empty_output: 'a failure: nothing was printed',
  unparseable: 'a failure: the output holds no result record',
  context_exhausted: 'a failure: the context was used up',
  context_exhaustion: 'a failure: the context was used up',
  error_max_turns: 'a failure: the turns were used up',
  error_during_execution: 'a failure: the agent reports an error',
  timeout: 'a failure: the time was up',
  interrupted: 'a failure: the run was interrupted',
  stale: 'a failure: the run went silent and was stopped',
  idle_stall: 'a failure: the run stood still and was stopped',
  path_contamination: 'a failure: the agent wrote outside of its working directory',
  zero_writes: 'a failure: nothing was written although that was expected',
  crashed: 'a failure: the source itself broke off while it looked at the run',
}

/** One line for people; the source's own word stands in it where we know no other. */
export function recordedReading(words: VerdictWords): string {
  const known = SUBTYPE_WORDS[words.subtype]
  const what =
    known ??
    (words.outcome === 'succeeded'
      ? 'a success'
      : words.subtype === UNKNOWN
        ? 'a failure without saying why'
        : `a failure of a kind that is new here: ${words.subtype}`)
  const retry =
    words.outcome === 'retriable'
      ? `; another attempt was asked for (${retryReasonWords(words.retryReason)})`
      : words.retryReason === UNKNOWN
        ? '; it does not keep whether another attempt was asked for'
        : words.outcome === 'failed'
          ? `; no further attempt was asked for${words.retryReason === 'none' ? '' : ` (${retryReasonWords(words.retryReason)})`}`
          : ''
  return `The source recorded ${what}${retry}.`
}
