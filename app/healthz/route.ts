import { defineRoute } from '@/app/_server/define-route'
import { json } from '@/app/_server/respond'

export const dynamic = 'force-dynamic'

/** The process answers. Says nothing about the database; `/readyz` does. */
export const GET = defineRoute('/healthz', { public: 'for load balancers; says nothing else' }, async () =>
  json({ status: 'ok' }),
)
