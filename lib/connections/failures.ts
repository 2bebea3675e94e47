import type { FetchFailureKind } from '../model/fetch-failures'
import type { FetchDetail, FetchFailureFacts, PlainFetchDetail } from '../model/messages/connections'

export interface FetchFailure extends FetchFailureFacts {
  /** Of the answer, where there was one. */
  status?: number
  /** How long the source asks to be left alone. */
  retryAfterMs?: number
}

/** @param detail what is known besides; its id alone where it has no values */
export const fetchFailure = (
  kind: FetchFailureKind,
  detail: FetchDetail | PlainFetchDetail | null = null,
  more: Pick<FetchFailure, 'status' | 'retryAfterMs'> = {},
): FetchFailure => ({
  kind,
  detail: typeof detail === 'string' ? ({ id: detail, params: {} } as FetchDetail) : detail,
  about: null,
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
export const isAboutServer = ({ kind, status }: Pick<FetchFailure, 'kind' | 'status'>): boolean =>
  kind === 'status'
    ? status === 429 || status === 502 || status === 503 || status === 504
    : !OF_ONE_ANSWER.has(kind)
