/**
 * The closed list of problems that the doors answer with (RFC 9457). Every slug has a page under `docs/problems/`;
 * a test pairs the two lists.
 */
export const PROBLEMS = {
  'bad-cursor': { status: 400, title: 'The cursor could not be read' },
  'bad-filter': { status: 400, title: 'The filter could not be read' },
  'bad-request': { status: 400, title: 'The request could not be read' },
  'not-signed-in': { status: 401, title: 'Sign in or send a key' },
  'not-allowed': { status: 403, title: 'The role or key does not allow this' },
  'wrong-origin': { status: 403, title: 'The request came from another site' },
  'not-found': { status: 404, title: 'No such record' },
  'method-not-allowed': { status: 405, title: 'The method is not supported here' },
  'not-supported': { status: 415, title: 'The format is recognised, but not supported yet' },
  'unknown-format': { status: 415, title: 'The format was not recognised' },
  'stale-write': { status: 409, title: 'Someone changed this first' },
  'in-use': { status: 409, title: 'It conflicts with something that exists' },
  'key-reused': { status: 422, title: 'The Idempotency-Key was used for another request' },
  'too-large': { status: 413, title: 'The body is larger than the limit' },
  'ratio-exceeded': { status: 413, title: 'The compressed body grows beyond the limit' },
  'bad-encoding': { status: 400, title: 'The content encoding could not be undone' },
  'wrong-digest': { status: 422, title: 'The bytes have another digest than was said' },
  'review-refused': { status: 422, title: 'The review was not taken' },
  'cannot-store': { status: 422, title: 'Something in the input cannot be stored' },
  'too-many-requests': { status: 429, title: 'Too many attempts' },
  'request-timeout': { status: 408, title: 'The body took too long to arrive' },
  busy: { status: 503, title: 'The server is holding as much as it can' },
  'too-slow': { status: 503, title: 'The database took too long to answer' },
  'store-full': { status: 503, title: 'The disk is full' },
  'store-down': { status: 503, title: 'The database did not answer' },
  internal: { status: 500, title: 'Something broke on our side' },
} as const

export type ProblemSlug = keyof typeof PROBLEMS

/** Problems of the store that pass by themselves, and the seconds after which it is worth asking again (`Retry-After`). */
export const STORE_RETRY_S = { 'store-down': 5, 'too-slow': 10, 'store-full': 30 } as const

export type StoreProblemSlug = keyof typeof STORE_RETRY_S

export interface Problem {
  type: string
  title: string
  status: number
  detail?: string
  requestId?: string
  line?: number
}

/** Builds the document; `detail` names the case at hand, `line` the line of the input (1-based) when there is one. */
export const problem = (
  slug: ProblemSlug,
  detail?: string,
  extra: { requestId?: string; line?: number } = {},
): Problem => ({
  type: `/problems/${slug}`,
  ...PROBLEMS[slug],
  ...(detail === undefined ? {} : { detail }),
  ...extra,
})
