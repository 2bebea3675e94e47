import { defineRoute } from '@/app/_server/define-route'
import { db } from '@/app/_server/db'
import { json } from '@/app/_server/respond'
import { forgetStoreFull, wasStoreFull } from '@/app/_server/store-full'
import { canWrite, migrationState } from '@/db/queries/readiness'
import { isStoreDown } from '@/db/sql-state'
import type { ReadyState } from '@/lib/api/ready-state'

export const dynamic = 'force-dynamic'

/** Whoever asks decides by the answer where requests go: one that comes late is no answer. */
const ANSWER_MS = 900

/** The process can do its work: the database answers, its schema is the one this version was made for, and it can be written. */
export const GET = defineRoute('/readyz', { public: 'for load balancers; answers one word' }, async () => {
  let late: NodeJS.Timeout | undefined
  const overdue = new Promise<ReadyState>((resolve) => {
    // The gate asks the database on a connection of its own, and has found out by now whether it answers.
    late = setTimeout(() => resolve(db().isAway() ? 'database-down' : 'busy'), ANSWER_MS)
  })
  const status = await Promise.race([readState(), overdue]).finally(() => clearTimeout(late))
  return json({ status }, { status: status === 'ready' ? 200 : 503 })
})

async function readState(): Promise<ReadyState> {
  const { sql } = db()
  try {
    if ((await migrationState(sql)) === 'pending') return 'migrations-pending'
    if (!wasStoreFull()) return 'ready'
    if (!(await canWrite(sql))) return 'disk-full'
    forgetStoreFull()
    return 'ready'
  } catch (error) {
    if (isStoreDown(error)) return 'database-down'
    throw error
  }
}
