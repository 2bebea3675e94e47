import { BadCursorError } from '@/db/queries/cursor'
import { isCanceled, isPoolBusy, isStoreDown, isStoreFull, sqlState } from '@/db/sql-state'
import { inStatementScope } from '@/db/statement-scope'
import { isThreadLost } from '@/db/threads/lost-thread'
import { type Action, ACTIONS } from '@/lib/auth/permissions'
import { limits } from '@/lib/limits'
import { STORE_RETRY_S, type StoreProblemSlug } from '@/lib/problem'
import { bodyText } from '@/lib/words/server/bodies'
import { logText } from '@/lib/words/server/log'
import { type Access, apiAccess } from './access'
import { releaseShare } from './admission'
import { log } from './log'
import { countRequest } from './metrics'
import { problemResponse, Refusal, requestIdOf } from './respond'
import { noteStoreFull } from './store-full'
import { logStoreDown } from './store-log'

/** What a handler asks for: an action of the closed list, the reason why it needs no one, or how it checks by itself who asks. */
export type Requirement = { action: Action } | { public: string } | { own: string }

type Params = Record<string, string | string[]>

export interface RouteInput<P extends Params, A> {
  request: Request
  /** Decoded segments of the path. */
  params: P
  query: URLSearchParams
  access: A
  requestId: string
}

/** A handler as Next calls it, carrying its label and what it requires, so that a test can walk over all of them. */
export interface Route<P extends Params> {
  (request: Request, context: { params: Promise<P> }): Promise<Response>
  label: string
  requirement: Requirement
}

const REQUIREMENT = Symbol.for('inquest.route')

/** Whether a handler was made by `defineRoute`. */
export const isRoute = (value: unknown): value is Route<Params> =>
  typeof value === 'function' &&
  REQUIREMENT in value &&
  requirementHolds((value as unknown as Route<Params>).requirement)

const requirementHolds = (requirement: Requirement | undefined): boolean =>
  requirement !== undefined &&
  ('action' in requirement
    ? requirement.action in ACTIONS
    : ('own' in requirement ? requirement.own : requirement.public).length > 0)

/** Classes of SQLSTATE in which the database refuses a value: data exception, integrity, limits of the server. */
const UNSTORABLE = /^(22|54)...$/

const retryAfter = (slug: StoreProblemSlug): Record<string, string> => ({
  'retry-after': String(STORE_RETRY_S[slug]),
})

function faultResponse(error: unknown, requestId: string): Response {
  if (error instanceof Refusal) return problemResponse(error, requestId)
  if (error instanceof BadCursorError)
    return problemResponse(new Refusal('bad-cursor', error.message), requestId)
  if (isStoreDown(error)) {
    logStoreDown(error, requestId)
    return problemResponse(
      new Refusal('store-down', undefined, { headers: retryAfter('store-down') }),
      requestId,
    )
  }
  if (isPoolBusy(error)) {
    log.warn({ requestId, err: error }, logText.noConnectionFree)
    const detail = bodyText.noConnectionInTime()
    return problemResponse(new Refusal('busy', detail, { headers: retryAfter('busy') }), requestId)
  }
  if (isCanceled(error)) {
    log.warn({ requestId, err: error }, logText.statementTooSlow)
    return problemResponse(
      new Refusal('too-slow', bodyText.queryCancelled(), {
        headers: retryAfter('too-slow'),
      }),
      requestId,
    )
  }
  if (isStoreFull(error)) {
    noteStoreFull()
    log.error({ requestId, err: error }, logText.diskFull)
    const headers = retryAfter('store-full')
    return problemResponse(new Refusal('store-full', bodyText.nothingStored, { headers }), requestId)
  }
  if (isThreadLost(error)) {
    log.error({ requestId, err: error }, logText.ingestThreadEnded)
    const detail = bodyText.interrupted
    return problemResponse(new Refusal('busy', detail, { headers: retryAfter('busy') }), requestId)
  }
  log.error({ requestId, err: error }, 'a request failed')
  if (UNSTORABLE.test(sqlState(error) ?? ''))
    return problemResponse(new Refusal('cannot-store', bodyText.nothingStored), requestId)
  return problemResponse(new Refusal('internal'), requestId)
}

const READING = new Set(['GET', 'HEAD'])
const READ_STATEMENT_MS = limits.readStatementSeconds * 1000

/** What only reads ends with its reader, and has a time for each statement. What writes is carried to its end. */
const heedingReader = <T>(request: Request, work: () => Promise<T>): Promise<T> =>
  READING.has(request.method)
    ? inStatementScope({ signal: request.signal, statementMsMax: READ_STATEMENT_MS }, work)
    : work()

/** No text that the database holds has a NUL in it, and it refuses to compare one that has. */
function refuseNul(params: Params, query: URLSearchParams): void {
  const texts = [...Object.values(params ?? {}).flat(), ...[...query].flat()]
  if (texts.some((text) => text.includes('\0'))) throw new Refusal('bad-request', bodyText.nulInAddress)
}

type AccessOf<R extends Requirement> = R extends { action: Action } ? Access : null

/**
 * Makes a route handler: who may call it is checked before it runs, and whatever it throws becomes a problem document.
 * The answer carries the request id, and the cookies that renew a session.
 *
 * @param label the path of its file, with `{name}` for each parameter. Metrics use it as it is: an address holds tokens and ids,
 *   and a rewrite shows the handler another one than its own. A test compares it with the place of the file.
 */
export function defineRoute<R extends Requirement, P extends Params = Record<never, never>>(
  label: string,
  requirement: R,
  handler: (input: RouteInput<P, AccessOf<R>>) => Promise<Response>,
): Route<P> {
  const route = async (request: Request, context: { params: Promise<P> }): Promise<Response> => {
    const requestId = requestIdOf(request)
    const startedMs = performance.now()
    let response: Response
    try {
      const params = await context.params
      const query = new URL(request.url).searchParams
      refuseNul(params, query)
      response = await heedingReader(request, async () => {
        const access = 'action' in requirement ? await apiAccess(request, requirement.action) : null
        const answer = await handler({ request, params, query, access: access as AccessOf<R>, requestId })
        for (const cookie of access?.cookies ?? []) answer.headers.append('set-cookie', cookie)
        return answer
      })
    } catch (error) {
      // Whoever asked has gone, and hears no answer.
      response =
        request.signal.aborted && (error === request.signal.reason || isCanceled(error))
          ? new Response(null, { status: 499 })
          : faultResponse(error, requestId)
    } finally {
      releaseShare(request)
    }
    response.headers.set('x-request-id', requestId)
    countRequest(label, request.method, response.status, (performance.now() - startedMs) / 1000)
    return response
  }
  return Object.assign(route, { label, requirement, [REQUIREMENT]: true as const })
}
