import { defineRoute } from '@/app/_server/define-route'
import { metrics } from '@/app/_server/metrics'

/** For Prometheus, which sends a key with the scope `read`; people who may read a project can look, too. */
export const GET = defineRoute({ action: 'read' }, async () => {
  const { registry } = metrics()
  return new Response(await registry.metrics(), {
    headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
  })
})
