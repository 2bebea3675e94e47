import type { Tx } from '../client'

/** Seconds after which a deferred analysis is due when no further piece pushes it on. */
const DUE_SECONDS = 2

/**
 * Asks for the analysis of what this stream left dirty, once the transaction is committed. Without a worker (its schema is not there yet)
 * nothing is lost: the executions stay marked, and a worker that starts later finds them.
 */
export async function enqueueAnalysis(tx: Tx, streamName: string): Promise<void> {
  const [worker] = await tx`select 1 from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'graphile_worker' and p.proname = 'add_job'`
  if (!worker) return
  // A key for each stream: two imports at once do not wait for one row.
  await tx`
    select graphile_worker.add_job('analyse', '{}'::json, run_at := now() + make_interval(secs => ${DUE_SECONDS}), job_key := ${`analyse ${streamName}`.slice(0, 500)})`
}
