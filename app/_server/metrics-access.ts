import { createHash, timingSafeEqual } from 'node:crypto'
import { apiAccess, bearer, needsGlobalAdmin } from './access'
import { metricsToken } from './config'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Lets the monitoring in by INQUEST_METRICS_TOKEN, which needs no database: metrics matter most while it is away. Everyone
 * else has to be an instance admin.
 *
 * @throws Refusal `not-signed-in` or `not-allowed`
 */
export async function checkMetricsReader(request: Request): Promise<void> {
  const token = metricsToken()
  const given = bearer(request)
  // Digests have one length, so the time of the comparison says nothing about the token.
  if (token !== null && given !== null && timingSafeEqual(digest(given), digest(token))) return
  needsGlobalAdmin(await apiAccess(request, 'read'), 'Reading metrics')
}
