/**
 * The closed list of problems that endpoints answer with (RFC 9457). Every slug has a page under `docs/problems/`;
 * a test pairs the two lists.
 */
export const PROBLEMS = {
  'bad-cursor': { status: 400, title: 'Invalid cursor' },
  'bad-filter': { status: 400, title: 'Invalid filter' },
  'bad-request': { status: 400, title: 'Invalid request' },
  'not-signed-in': { status: 401, title: 'Authentication required' },
  'not-allowed': { status: 403, title: 'Permission denied' },
  'wrong-origin': { status: 403, title: 'Cross-site request blocked' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'not-supported': { status: 415, title: 'Unsupported format' },
  'unknown-format': { status: 415, title: 'Unknown format' },
  'stale-write': { status: 409, title: 'Changed by someone else' },
  'fix-closed': { status: 409, title: 'Fix is closed' },
  'in-use': { status: 409, title: 'Conflict with an existing record' },
  'key-reused': { status: 422, title: 'Idempotency-Key reused for a different request' },
  'too-large': { status: 413, title: 'Request body too large' },
  'ratio-exceeded': { status: 413, title: 'Compressed body expands too far' },
  'bad-encoding': { status: 400, title: 'Request body could not be decoded' },
  'wrong-digest': { status: 422, title: 'Digest mismatch' },
  'review-refused': { status: 422, title: 'Review not accepted' },
  'cannot-store': { status: 422, title: 'Input could not be stored' },
  'too-many-requests': { status: 429, title: 'Too many attempts' },
  'request-timeout': { status: 408, title: 'Request body timed out' },
  busy: { status: 503, title: 'Server at capacity' },
  'too-slow': { status: 503, title: 'Query timed out' },
  'store-full': { status: 503, title: 'Disk full' },
  'store-down': { status: 503, title: 'Database unavailable' },
  internal: { status: 500, title: 'Internal error' },
} as const

export type ProblemSlug = keyof typeof PROBLEMS

/** Problems of the store that pass by themselves, and the seconds after which it is worth asking again (`Retry-After`). */
export const STORE_RETRY_S = { busy: 2, 'store-down': 5, 'too-slow': 10, 'store-full': 30 } as const

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
