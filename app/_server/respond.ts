import type { ProblemSlug } from '@/lib/problem'
import { problem } from '@/lib/views/problem-document'

/** Answers that no one but the reader may keep. */
const PRIVATE = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' }

/**
 * A refusal by a rule, as opposed to a fault: thrown anywhere below a route, answered as a problem document.
 * Everything else that is thrown is a fault and answered as `store-down` or `internal`.
 */
export class Refusal extends Error {
  constructor(
    readonly slug: ProblemSlug,
    readonly detail?: string,
    readonly more: { line?: number; headers?: Record<string, string> } = {},
  ) {
    super(detail ?? slug)
    this.name = 'Refusal'
  }
}

/** The caller's request id when it is a plain one, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && /^[\w.-]{8,64}$/.test(given) ? given : crypto.randomUUID()
}

/** A JSON answer; `private, no-store` by default. */
export const json = (
  value: unknown,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response =>
  new Response(JSON.stringify(value), {
    status: init.status ?? 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...PRIVATE, ...init.headers },
  })

/** The answer to a refusal or a fault (RFC 9457). */
export function problemResponse(refusal: Refusal, requestId: string): Response {
  const extra = { requestId, ...(refusal.more.line === undefined ? {} : { line: refusal.more.line }) }
  const document = problem(refusal.slug, refusal.detail, extra)
  return new Response(JSON.stringify(document), {
    status: document.status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      ...PRIVATE,
      ...refusal.more.headers,
    },
  })
}
