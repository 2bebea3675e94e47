import { peopleProblemText } from '@/lib/words/server/people'
import { trustedOrigins } from './config'
import { Refusal } from './respond'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses another site's page, also where no session is needed yet: signing someone in unasked is an attack as well. */
export function refuseForeignOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin === null || SAFE.has(request.method) || trustedOrigins().includes(origin)) return
  throw new Refusal('wrong-origin', peopleProblemText.originNotAllowed({ origin }))
}

/**
 * Refuses a state-changing request that carries a cookie and does not come from our own pages. `SameSite=Lax` already
 * stops most of them; this also stops sites on another port of the same host, which count as the same site.
 */
export function checkOrigin(request: Request): void {
  if (SAFE.has(request.method)) return
  refuseForeignOrigin(request)
  if (request.headers.has('origin') || request.headers.get('sec-fetch-site') === 'same-origin') return
  throw new Refusal('wrong-origin', peopleProblemText.originMissing)
}
