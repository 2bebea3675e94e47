import { contentStateWord } from '../../model/content-states'
import { UNKNOWN } from './decision'
import type { ContentState } from './vocabulary'

/**
 * What a failure can have delivered, by the subtype of its result; the likeliest first. Of the others every state is possible. A rejected result
 * is complete where it contains the completion marker alone.
 */
const BY_SUBTYPE: Readonly<Record<string, readonly ContentState[]>> = {
  empty_result: ['absent', 'session_error'],
  missing_completion_marker: ['absent', 'session_error'],
  adjudicated_failure: ['contract_violation', 'session_error', 'complete'],
}

/** Subtypes of sessions that left no result of their own: each of them counts as an error. */
const ERRORS: readonly string[] = ['empty_output', 'unparseable', 'timeout']

/** What a source recorded that says something of the content. */
export interface RecordedContent {
  success: boolean
  /** Of the result. */
  subtype: string | undefined
  /** Of the session. */
  cliSubtype: string | undefined
  /** Whether the session's own result record reports an error; null: there is none, or it does not say. */
  isError: boolean | null
}

/**
 * The content state of a run whose output is not there, as far as its source's verdict tells it: one word, several where the evidence leaves them
 * open (`contentStatesOf`), or `unknown`. A session that reports an error is never taken for one that broke its contract.
 *
 * @see docs/sources/autoskillit.md#content-state
 */
export function recordedContent({ success, subtype, cliSubtype, isError }: RecordedContent): string {
  if (isError === true || ERRORS.includes(cliSubtype ?? '')) return 'session_error'
  if (success || subtype === undefined) return UNKNOWN
  if (ERRORS.includes(subtype)) return 'session_error'
  const possible = Object.hasOwn(BY_SUBTYPE, subtype) ? BY_SUBTYPE[subtype]! : []
  const left = possible.filter((state) => isError === null || state !== 'session_error')
  return left.length === 0 ? UNKNOWN : contentStateWord(left)
}
