import type { EarlierMessage, FailedCallsParams } from '../../model/messages/cause'
import { decisiveText, failedCallRef, lineOf } from '../calls/call-ref'
import type { Place } from '../calls/merge-streams'
import { isIncomparable } from '../calls/retry-chain'
import { messageText } from '../message-text'
import type { ChainsRead, Focus } from './focus'
import type { Work } from './work'

/** A request to the model that failed, with its text. */
export interface FailedRequest {
  place: Place
  text: string
  span: { start: number; end: number; jsonPointer?: string }
}

/** The HTTP status that the text of a failed request names: `500`. */
const statusOf = (text: string): string | null =>
  /\b(?:API Error|HTTP|status)\D{0,3}([45]\d\d)\b/i.exec(text)?.[1] ?? null

/** What all of these requests have in common: the HTTP status, and the words of their errors. */
export function commonOf(requests: readonly FailedRequest[]): {
  status: string | null
  error: string | null
} {
  const common = (values: (string | null)[]): string | null =>
    new Set(values).size === 1 ? values[0]! : null
  const error = common(requests.map((r) => lineOf(r.text)))
  return {
    status: common(requests.map((r) => statusOf(r.text))),
    error: error === null || error === '' ? null : messageText(error),
  }
}

const unresolvedOne = (focus: Focus, failed: number): FailedCallsParams['unresolvedOne'] =>
  focus.next
    ? 'retry_without_result'
    : isIncomparable(focus.call)
      ? 'not_comparable'
      : failed > 1
        ? 'not_fixed'
        : 'not_retried'

/** What became of the calls that failed; null: none did. */
export function countFailed(
  { calls }: Pick<Work, 'calls'>,
  { open, workedAround, recovered }: Omit<ChainsRead, 'leading'>,
): FailedCallsParams | null {
  const failed = calls.filter((a) => a.state === 'failed')
  if (failed.length === 0) return null
  const single = open.length === 1 && workedAround.length + recovered.length === 0
  return {
    failed: failed.length,
    calls: calls.length,
    cancelled: failed.filter((a) => a.failureClass === 'sibling_cancelled').length,
    fixedOnRetry: recovered.length,
    workedAround: workedAround.length,
    unresolved: open.length,
    unresolvedOne: single ? unresolvedOne(open[0]!, failed.length) : null,
  }
}

/**
 * What failed before the cause, where that is about the run itself.
 *
 * @param wentOn the run went on after these requests
 * @returns null when nothing did
 */
export function failedBefore(
  work: Work,
  read: ChainsRead,
  requests: readonly FailedRequest[],
  wentOn: boolean,
): EarlierMessage | null {
  const calls = countFailed(work, read)
  if (requests.length === 0 && calls === null) return null
  const main = read.leading?.call
  return {
    id: 'failed_before',
    params: {
      requests: requests.length === 0 ? null : { requests: requests.length, ...commonOf(requests) },
      continued: wentOn,
      calls,
      main: main ? { call: failedCallRef(main), error: messageText(decisiveText(main)) } : null,
    },
  }
}
