import { defineRoute } from '@/app/_server/define-route'
import { metrics } from '@/app/_server/metrics'
import { checkMetricsReader } from '@/app/_server/metrics-access'

/** For Prometheus, which sends INQUEST_METRICS_TOKEN. Numbers of all projects: no role in one of them is enough. */
export const GET = defineRoute(
  '/metrics',
  { own: 'INQUEST_METRICS_TOKEN as the bearer token, or an instance admin' },
  async ({ request }) => {
    await checkMetricsReader(request)
    const { registry } = metrics()
    return new Response(await registry.metrics(), {
      headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
    })
  },
)
