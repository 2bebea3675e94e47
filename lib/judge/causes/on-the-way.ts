import type { ChainsRead, Work } from './focus'
import type { Place } from '../calls/merge-streams'
import { isIncomparable } from '../calls/retry-chain'
import { capital, count, decisiveText, lineOf, quoted, some, whatHappened } from './phrases'

/** A request to the model that failed, with its text. */
export interface FailedRequest {
  place: Place
  text: string
  span: { start: number; end: number; jsonPointer?: string }
}

/** The HTTP status that the text of a failed request names: `500`. */
const statusOf = (text: string): string | null =>
  /\b(?:API Error|HTTP|status)\D{0,3}([45]\d\d)\b/i.exec(text)?.[1] ?? null

/** `7 model requests (HTTP 500, “Internal server error”)`; only what all of them have in common is said of them. */
export function requestsPhrase(requests: readonly FailedRequest[]): string {
  const common = (values: (string | null)[]): string | null =>
    new Set(values).size === 1 ? values[0]! : null
  const status = common(requests.map((r) => statusOf(r.text)))
  const words = common(requests.map((r) => lineOf(r.text)))
  const said = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(words === null || words === '' ? [] : [quoted(words, 60)]),
  ]
  return `${some(requests.length, 'model request')}${said.length === 0 ? '' : ` (${said.join(', ')})`}`
}

/**
 * What became of the calls that failed: `3 of 28 calls failed: 1 problem fixed on retry, 2 worked around`. The numbers are those of the
 * counts
 * (calls, chains, recovered chains) in the same words, so that a sentence and a list beside it cannot seem to contradict each other.
 * Empty when nothing failed.
 */
export function countsPhrase(
  { calls }: Pick<Work, 'calls'>,
  { open, otherwise, recovered }: Omit<ChainsRead, 'telling'>,
): string {
  const failed = calls.filter((a) => a.state === 'failed')
  const chains = open.length + otherwise.length + recovered.length
  if (failed.length === 0) return ''
  const cancelled = failed.filter((a) => a.failureClass === 'sibling_cancelled').length
  const hung =
    cancelled === 0 || cancelled === failed.length ? '' : ` (${count(cancelled)} cancelled with another call)`
  const start = `${count(failed.length)} of ${some(calls.length, 'call')} failed`
  if (chains === 1) return `${start}${ofOne(failed.length, open[0] ?? otherwise[0] ?? recovered[0]!)}`
  const where = `${hung}${chains === failed.length ? ';' : `: ${count(chains)} problems,`}`
  const each = chains === 2 ? 'both' : 'all'
  if (open.length === chains) return `${start}${where} none fixed on retry, unclear if worked around`
  if (recovered.length === chains) return `${start}${where} ${each} fixed on retry`
  if (otherwise.length === chains) return `${start}${where} ${each} worked around`
  const [first, ...rest] = (
    [
      [recovered.length, 'fixed on retry'],
      [otherwise.length, 'worked around'],
      [open.length, 'unresolved'],
    ] as const
  ).filter(([n]) => n > 0)
  const parts = [
    `${some(first![0], 'problem')} ${first![1]}`,
    ...rest.map(([n, how]) => `${count(n)} ${how}`),
  ]
  return `${start}${hung}: ${parts.join(', ')}`
}

function ofOne(failed: number, focus: ChainsRead['open'][number]): string {
  const lead = failed > 1 ? ': one problem, ' : '; '
  if (focus.recovered) return `${lead}fixed on retry`
  if (focus.otherwise) return `${lead}worked around`
  if (focus.next) return `${lead}the next retry has no result`
  if (isIncomparable(focus.call)) return '; unclear if retried'
  return `${lead}${failed > 1 ? 'not fixed on retry' : 'not retried'}`
}

const QUOTE_CHARS_MIN = 24

/**
 * The line below a cause that is about the run itself: what failed before it, which is another matter. As much as fits into `room`
 * characters:
 * the counts, then the most telling failure, then its words.
 *
 * @returns empty when nothing failed before, or when there is no room even for the counts
 */
export function earlierLine(
  work: Work,
  read: ChainsRead,
  requests: readonly FailedRequest[],
  wentOn: boolean,
  room: number,
): string {
  const calls = countsPhrase(work, read)
  const start =
    requests.length === 0 ? '' : `${requestsPhrase(requests)} failed${wentOn ? ' and the run continued' : ''}`
  const parts = [start, calls].filter((part) => part !== '')
  if (parts.length === 0) return ''
  const counts = `Earlier: ${parts.join('; ')}.`
  if (counts.length > room)
    return start === '' || calls === '' ? '' : earlierLine(work, read, [], false, room)
  const { telling } = read
  if (!telling) return counts
  const lead = `${counts} ${read.open.length > 1 ? 'Main failure: ' : ''}${capital(whatHappened(telling.call, 40))}`
  if (lead.length + 1 > room) return counts
  const quote = decisiveText(telling.call)
  const left = room - lead.length - 2
  return quote === '' || left < QUOTE_CHARS_MIN ? `${lead}.` : `${lead}: ${quoted(quote, left)}`
}
