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
  /** One sentence for people. Of what the source wrote only the host of a redirect stands in it, as addresses spell it. */
  text: string
  /** Of the answer, where there was one. */
  status?: number
  /** How long the source asks to be left alone. */
  retryAfterMs?: number
}

const SENTENCES: Record<FetchFailureKind, string> = {
  down: 'Nothing answered at this address',
  timed_out: 'The answer took too long',
  too_large: 'The answer is larger than the limit',
  not_json: 'The answer is not JSON',
  status: 'The server answered with an error',
  redirected_elsewhere: 'The server leads to another address, which was not followed',
  private_address:
    'The address is one of a private network, or of this machine, and the connection does not allow those',
  certificate: 'The certificate of the server does not hold',
  cut_off: 'The answer ended in the middle',
  unauthorized: 'The server refused the credential',
  not_stored: 'What came could not be stored',
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
