import { defineRoute } from '@/app/_server/define-route'
import { db } from '@/app/_server/db'
import { json } from '@/app/_server/respond'
import { migrationState } from '@/db/queries/readiness'
import { isStoreDown } from '@/db/sql-state'

export const dynamic = 'force-dynamic'

/** The process can do its work: the database answers and its schema is the one this version was made for. */
export const GET = defineRoute(
  '/readyz',
  { public: 'for load balancers; tells only ready or not' },
  async () => {
    const migrations = await migrationState(db().sql).catch((error: unknown) => {
      if (isStoreDown(error)) return null
      throw error
    })
    const checks = { database: migrations === null ? 'down' : 'ok', migrations: migrations ?? 'unknown' }
    const ready = migrations === 'ok'
    return json({ status: ready ? 'ready' : 'not ready', checks }, { status: ready ? 200 : 503 })
  },
)
