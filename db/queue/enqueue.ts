import type { Tx } from '../client'
import type { RowOf } from '../schema/rows'

/** Seconds after which a deferred analysis is due when no further piece pushes it on. */
const DUE_SECONDS = 2

const hasWorker = async (tx: Tx): Promise<boolean> =>
  (
    await tx`select 1 from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'graphile_worker' and p.proname = 'add_job'`
  ).length > 0

/**
 * Asks for the analysis of what this stream left dirty, once the transaction is committed. Without a worker (its schema is not there yet)
 * nothing is lost: the executions stay marked, and a worker that starts later finds them.
 */
export async function enqueueAnalysis(tx: Tx, streamName: string): Promise<void> {
  if (!(await hasWorker(tx))) return
  // A key for each stream: two imports at once do not wait for one row.
  await tx`
    select graphile_worker.add_job('analyse', '{}'::json, run_at := now() + make_interval(secs => ${DUE_SECONDS}), job_key := ${`analyse ${streamName}`.slice(0, 500)})`
}

/** How many times as long as its last verification took a chain is left alone. */
const REST_FACTOR = 10

/** Asks for new verdicts on chains, once the transaction is committed. Without a worker nothing is lost: the one that starts later asks for them (`enqueueOverdue`). */
export async function enqueueVerdicts(tx: Tx, projectId: string, chainIds: readonly string[]): Promise<void> {
  if (chainIds.length === 0 || !(await hasWorker(tx))) return
  // The first receipt says when; those that come until then do not put it off. In one order, so that two imports at once do not wait for each other for ever.
  await tx`
    select graphile_worker.add_job('verify-chain', json_build_object('projectId', ${projectId}::text, 'chainId', c.id),
      run_at := greatest(now() + make_interval(secs => ${DUE_SECONDS}), v.checked_at + make_interval(secs => ${REST_FACTOR / 1000}::float8 * v.millis)),
      job_key := 'verify ' || ${projectId}::text || ' ' || md5(c.id), job_key_mode := 'preserve_run_at')
    from (select distinct id from unnest(${[...chainIds]}::text[]) u(id) order by id) c
    left join chain_verdicts v on v.project_id = ${projectId} and v.chain_id = c.id`
}

/** Asks for the verdicts on all chains of which none is noted, or one over fewer receipts. */
export async function enqueueOverdue(tx: Tx): Promise<void> {
  const chains = await tx<(RowOf<'receipts', 'project_id'> & { ids: string[] })[]>`
    select project_id, array_agg(chain_id) as ids from (
      select r.project_id, r.chain_id from receipts r left join chain_verdicts v on v.project_id = r.project_id and v.chain_id = r.chain_id
      group by 1, 2 having count(*) <> coalesce(max(v.receipts), 0)) c group by 1`
  for (const { project_id, ids } of chains) await enqueueVerdicts(tx, project_id, ids)
}

/** Asks for the next poll of a connection, at its time; one that waits already is put there. Without a worker nothing is lost: the one that starts later looks for what is due. */
export async function enqueuePoll(
  tx: Tx,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  if (!(await hasWorker(tx))) return
  // What was taken in has to be analysed, too: polls come behind. A poll that fails plans the next one by itself.
  await tx`
    select graphile_worker.add_job('poll-connection', json_build_object('projectId', c.project_id, 'id', c.id), run_at := c.next_at,
      job_key := 'poll ' || c.project_id || ' ' || c.id, max_attempts := 1, priority := 5)
    from source_connections c where c.project_id = ${projectId} and c.id = ${id} and c.enabled`
}

/** Asks for the polls that should have begun, and of which nobody is at work: their job was lost with its process, or came before there was a worker. */
export async function enqueueOverduePolls(tx: Tx): Promise<void> {
  const rows = await tx<RowOf<'source_connections', 'projectId' | 'id'>[]>`
    select project_id as "projectId", id from source_connections
    where enabled and next_at < now() - interval '30 seconds' and (leased_until is null or leased_until < now())`
  for (const row of rows) await enqueuePoll(tx, row)
}

/**
 * Asks for checks whether fixes still fit, once the transaction is committed. Without a worker nothing is lost: the request stands, and a worker that
 * starts later finds it.
 */
export async function enqueueFits(tx: Tx, projectId: string, fixIds: readonly string[]): Promise<void> {
  if (fixIds.length === 0) return
  await tx`
    insert into fix_fits (project_id, fix_id) select ${projectId}, id from unnest(${[...fixIds]}::uuid[]) u(id) order by id
    on conflict (project_id, fix_id) do update set requested_at = clock_timestamp(), requests = fix_fits.requests + 1`
  for (const fixId of fixIds) await enqueueFit(tx, { projectId, fixId })
}

/** Puts a check that is asked for to work, in so many seconds. */
export async function enqueueFit(
  tx: Tx,
  { projectId, fixId }: { projectId: string; fixId: string },
  inSeconds = 0,
): Promise<void> {
  if (!(await hasWorker(tx))) return
  await tx`
    select graphile_worker.add_job('fit', json_build_object('projectId', ${projectId}::text, 'fixId', ${fixId}::text), run_at := now() + make_interval(secs => ${inSeconds}),
      job_key := ${`fit ${projectId} ${fixId}`}, max_attempts := 3, priority := 5)`
}

/** Asks for the checks that nobody has begun: they were asked for before there was a worker. */
export async function enqueueOverdueFits(tx: Tx): Promise<void> {
  const rows = await tx<RowOf<'fix_fits', 'projectId' | 'fixId'>[]>`
    select project_id as "projectId", fix_id as "fixId" from fix_fits
    where (started_at is null or requested_at > started_at) and requested_at < now() - interval '30 seconds' order by requested_at limit 200`
  for (const row of rows) await enqueueFit(tx, row)
}

/** Puts a rebuild of a project to work; the row says what there is to do. Without a worker it waits for the one that starts later. */
export async function enqueueReingest(
  tx: Tx,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  if (!(await hasWorker(tx))) return
  // Behind everything that somebody sends or asks.
  await tx`
    select graphile_worker.add_job('reingest', json_build_object('projectId', ${projectId}::text, 'id', ${id}::text), job_key := ${`reingest ${id}`}, priority := 10)`
}

/** Puts rebuilds to work that nobody is at: they were asked for before there was a worker, or their process ended. */
export async function enqueueLeftReingests(tx: Tx): Promise<void> {
  const rows = await tx<RowOf<'reingests', 'projectId' | 'id'>[]>`
    select project_id as "projectId", id from reingests where state in ('queued', 'running') and (worked_at is null or worked_at < now() - interval '60 seconds')`
  for (const row of rows) await enqueueReingest(tx, row)
}
