/**
 * The closed list of problems that endpoints answer with (RFC 9457). Every slug has a page under `docs/problems/`;
 * a test pairs the two lists.
 */
export const PROBLEMS = {
  'bad-cursor': { status: 400 },
  'bad-filter': { status: 400 },
  'bad-request': { status: 400 },
  'not-signed-in': { status: 401 },
  'not-allowed': { status: 403 },
  'wrong-origin': { status: 403 },
  'not-found': { status: 404 },
  'method-not-allowed': { status: 405 },
  'not-supported': { status: 415 },
  'unknown-format': { status: 415 },
  'stale-write': { status: 409 },
  'fix-closed': { status: 409 },
  'in-use': { status: 409 },
  'key-reused': { status: 422 },
  'too-large': { status: 413 },
  'ratio-exceeded': { status: 413 },
  'bad-encoding': { status: 400 },
  'wrong-digest': { status: 422 },
  'review-refused': { status: 422 },
  'cannot-store': { status: 422 },
  'too-many-requests': { status: 429 },
  'request-timeout': { status: 408 },
  busy: { status: 503 },
  'too-slow': { status: 503 },
  'store-full': { status: 503 },
  'store-down': { status: 503 },
  internal: { status: 500 },
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
