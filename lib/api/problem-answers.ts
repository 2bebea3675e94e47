import { links } from '../links'
import type { ProblemSlug } from '../problem'
import type { Operation } from './operation'

/** Answered without the database. */
const WITHOUT_DATABASE = new Set(['/healthz', '/readyz', links.api.openapi()])

/** Whatever reads a body may find it unfit, late, or one too many. */
const OF_BODIES: ProblemSlug[] = ['too-large', 'ratio-exceeded', 'bad-encoding', 'request-timeout', 'busy']

/** What single operations refuse besides, by method and path. `problem-answers.test.ts` compares it with what their handlers throw. */
const OWN: Record<string, ProblemSlug[]> = {
  'get /api/v1/executions': ['bad-filter'],
  'get /api/v1/executions/facets': ['bad-filter'],
  'get /api/v1/policies/replay': ['bad-filter'],
  'post /api/v1/connections': ['not-found', 'in-use'],
  'post /api/v1/executions/{id}/cause-correction': ['stale-write'],
  'delete /api/v1/executions/{id}/cause-correction': ['stale-write'],
  'post /api/v1/executions/{id}/fixes': ['stale-write', 'wrong-digest'],
  'post /api/v1/first-admin-link': ['in-use'],
  'post /api/v1/fixes/{id}/links': ['fix-closed'],
  'post /api/v1/fixes/{id}/reviews': ['review-refused', 'stale-write'],
  'post /api/v1/fixes/{id}/suggestions': ['stale-write'],
  'post /api/v1/ingest/{kind}': ['in-use', 'key-reused', 'not-supported', 'unknown-format'],
  'post /api/v1/keys': ['not-found'],
  'post /api/v1/mirrors': ['not-found', 'in-use'],
  'get /api/v1/one-time-links/{token}': ['too-many-requests'],
  'get /api/v1/shared-patches/{token}': ['too-many-requests'],
  'post /api/v1/one-time-links/{token}': ['in-use', 'too-many-requests', 'wrong-origin'],
  'post /api/v1/people': ['not-found', 'in-use'],
  'patch /api/v1/people/{id}': ['in-use'],
  'delete /api/v1/people/{id}': ['in-use'],
  'post /api/v1/receipt-keys': ['not-found'],
  'post /api/v1/reingest': ['not-found', 'in-use'],
  'get /metrics': ['not-signed-in', 'not-allowed', 'wrong-origin'],
  'post /api/v1/sample': ['too-large'],
  'post /api/v1/sources': ['not-found', 'in-use'],
  'delete /api/v1/sources/{id}': ['in-use'],
}

/** Every problem that an operation may answer with, in the order of their statuses or without one. */
export function problemsOf({ method, path, action, query = {}, body }: Operation): ProblemSlug[] {
  const asksDatabase = !WITHOUT_DATABASE.has(path)
  const names = 'project' in query || 'id' in query || path.includes('{')
  const problems: (ProblemSlug | false)[] = [
    'bad-request',
    'cursor' in query && 'bad-cursor',
    action !== null && 'not-signed-in',
    action !== null && 'not-allowed',
    action !== null && method !== 'get' && 'wrong-origin',
    names && 'not-found',
    ...(body === undefined ? [] : OF_BODIES),
    ...(OWN[`${method} ${path}`] ?? []),
    asksDatabase && method !== 'get' && 'cannot-store',
    asksDatabase && method === 'get' && 'too-slow',
    asksDatabase && 'busy',
    asksDatabase && 'store-down',
    'internal',
  ]
  return [...new Set(problems.filter((one) => one !== false))]
}

/** The operations that `OWN` names, for the test that none is left behind. */
export const ownProblems = (): string[] => Object.keys(OWN)
