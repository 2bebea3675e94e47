import type { ListedRun } from '@/lib/formats/noetl/connection-documents'
import { storable } from '@/lib/formats/storable'
import type { Sql } from '../client'
import type { RowOf } from '../schema/rows'

/** How far a run of a connection has been taken in. */
export interface RunStanding {
  runId: string
  status: string | null
  ended: boolean
  takenTo: string | null
  takenRows: number | null
  /** Pages that are under way: the next one, and what the first one said. */
  walk: { page: number; since: string | null; newest: string | null; total: number | null } | null
  failures: number
  /** Looks in a row at which nothing was new. */
  quiet: number
  /** What the list says of it, and since when. */
  listed: { status: string | null; entry: string; at: string } | null
  /** The status of the list that was taken in last. */
  listedTaken: string | null
  /** What its document said when the status endpoint was asked last. */
  statusAsked: string | null
}

export interface ConnectionKey {
  projectId: string
  id: string
}

/** Notes what a page of the list says; what is new there, or differs from the last time, is to be fetched. */
export async function noteListed(
  sql: Sql,
  { projectId, id }: ConnectionKey,
  runs: readonly ListedRun[],
): Promise<void> {
  // Runs that begin while pages are fetched push others to the next one: of two the last counts.
  const listed = [...new Map(runs.map((run) => [run.runId, run])).values()]
  if (listed.length === 0) return
  await sql`
    insert into connection_runs as r (project_id, connection_id, run_id, listed_status, started_at, listed_events, listed_entry, listed_at)
    select ${projectId}, ${id}, l.run_id, l.status, l.started_at::timestamptz, l.events, l.entry, now()
    from unnest(${listed.map(({ runId }) => runId)}::text[], ${listed.map(({ status }) => status)}::text[],
      ${listed.map(({ startedAt }) => startedAt)}::text[], ${listed.map(({ events }) => events)}::int[], ${listed.map(({ entry }) => storable(entry))}::text[]) l(run_id, status, started_at, events, entry)
    where exists (select 1 from source_connections c where c.project_id = ${projectId} and c.id = ${id})
    on conflict (project_id, connection_id, run_id) do update
    set listed_entry = excluded.listed_entry, listed_at = case when r.listed_at is null or r.listed_status is distinct from excluded.listed_status then excluded.listed_at else r.listed_at end,
      listed_status = excluded.listed_status, listed_events = excluded.listed_events, started_at = coalesce(excluded.started_at, r.started_at),
      look_at = case when (r.listed_status, r.listed_events) is distinct from (excluded.listed_status, excluded.listed_events) then least(r.look_at, now()) else r.look_at end`
}

/** The run that waits longest, the newest of several; null when none was due by then, or the connection rests. @param by ISO */
export async function nextRun(
  sql: Sql,
  { projectId, id }: ConnectionKey,
  by: string,
): Promise<RunStanding | null> {
  const [row] = await sql<
    RowOf<
      'connection_runs',
      | 'runId'
      | 'status'
      | 'ended'
      | 'takenTo'
      | 'takenRows'
      | 'failures'
      | 'quiet'
      | 'listedStatus'
      | 'listedEntry'
      | 'listedAt'
      | 'listedTaken'
      | 'statusAsked'
      | 'walkPage'
      | 'walkSince'
      | 'walkNewest'
      | 'walkTotal'
    >[]
  >`
    select r.run_id as "runId", r.status, r.ended, r.taken_to as "takenTo", r.taken_rows as "takenRows", r.failures, r.quiet,
      r.listed_status as "listedStatus", r.listed_entry as "listedEntry", r.listed_at as "listedAt", r.listed_taken as "listedTaken", r.status_asked as "statusAsked",
      r.walk_page as "walkPage", r.walk_since as "walkSince", r.walk_newest as "walkNewest", r.walk_total as "walkTotal"
    from connection_runs r join source_connections c on c.project_id = r.project_id and c.id = r.connection_id
    where r.project_id = ${projectId} and r.connection_id = ${id} and r.look_at <= ${by} and c.enabled
    order by r.look_at, r.started_at desc nulls last, r.run_id desc limit 1`
  if (!row) return null
  const { walkPage, walkSince, walkNewest, walkTotal, listedStatus, listedEntry, listedAt, ...rest } = row
  const listed =
    listedEntry === null || listedAt === null
      ? null
      : { status: listedStatus, entry: listedEntry, at: new Date(listedAt).toISOString() }
  return {
    ...rest,
    listed,
    walk:
      walkPage === null ? null : { page: walkPage, since: walkSince, newest: walkNewest, total: walkTotal },
  }
}

/**
 * Stores how far a run has come.
 *
 * @param look in how many milliseconds it is looked at again; null: nothing is expected any more; `due`: it stays due
 */
export async function saveRun(
  sql: Sql,
  { projectId, id }: ConnectionKey,
  run: RunStanding,
  look: number | null | 'due',
): Promise<void> {
  const { walk } = run
  const at =
    look === 'due'
      ? sql`look_at`
      : look === null
        ? sql`null`
        : sql`now() + make_interval(secs => ${look / 1000})`
  await sql`
    update connection_runs set status = ${run.status}, ended = ${run.ended}, taken_to = ${run.takenTo}, taken_rows = ${run.takenRows}, failures = ${run.failures}, quiet = ${run.quiet},
      listed_taken = ${run.listedTaken}, status_asked = ${run.statusAsked},
      walk_page = ${walk?.page ?? null}, walk_since = ${walk?.since ?? null}, walk_newest = ${walk?.newest ?? null}, walk_total = ${walk?.total ?? null}, look_at = ${at}
    where project_id = ${projectId} and connection_id = ${id} and run_id = ${run.runId}`
}
