/** Every way in which a question to a source can fail. The same list feeds the column, the documents and the sentences. */
export const FETCH_FAILURES = [
  'down',
  'timed_out',
  'too_large',
  'not_json',
  'status',
  'redirected_elsewhere',
  'private_address',
  'certificate',
  'cut_off',
  'unauthorized',
  'not_stored',
  'same_page',
] as const
export type FetchFailureKind = (typeof FETCH_FAILURES)[number]

export interface FetchFailure {
  kind: FetchFailureKind
  /** One sentence for people. Of the source's own words it contains only the host of a redirect, as addresses spell it. */
  text: string
  /** Of the answer, where there was one. */
  status?: number
  /** How long the source asks to be left alone. */
  retryAfterMs?: number
}

const SENTENCES: Record<FetchFailureKind, string> = {
  down: 'No response from this address',
  timed_out: 'The server timed out',
  too_large: 'The response is too large',
  not_json: 'The response is not JSON',
  status: 'The server returned an error',
  redirected_elsewhere: 'The server redirected to another address, which was not followed',
  private_address: 'The address is private or on this machine, which this connection does not allow',
  certificate: 'Invalid server certificate',
  cut_off: 'The response was cut off',
  unauthorized: 'The server rejected the credential',
  not_stored: 'The response could not be stored',
  same_page: 'The server sent the same page twice',
}

/** @param detail what is known besides, in our own words and without a full stop */
export const fetchFailure = (
  kind: FetchFailureKind,
  detail?: string,
  more: Pick<FetchFailure, 'status' | 'retryAfterMs'> = {},
): FetchFailure => ({
  kind,
  text: `${SENTENCES[kind]}${detail === undefined ? '' : `: ${detail}`}.`,
  ...more,
})

const OF_ONE_ANSWER: ReadonlySet<FetchFailureKind> = new Set([
  'too_large',
  'not_json',
  'cut_off',
  'not_stored',
  'same_page',
])

/** Whether the next question to the same server would fail as well; the others can be about one run. */
export const isAboutServer = ({ kind, status }: FetchFailure): boolean =>
  kind === 'status'
    ? status === 429 || status === 502 || status === 503 || status === 504
    : !OF_ONE_ANSWER.has(kind)
