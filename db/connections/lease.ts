import type { FetchFailure } from '@/lib/connections/failures'
import { fetchFailureText } from '@/lib/words/connections'
import type { Sql } from '../client'
import type { ConnectionKey } from './run-standing'

/** Longer than any one question and what is done with its answer takes; a process that dies leaves a connection alone for so long. */
const LEASE_SECONDS = 300

/**
 * Takes a connection for one poll, so that no other process polls it at the same time.
 *
 * @param held whoever asks holds it already, and goes on
 * @returns when the poll begins, by the clock of the database; null when somebody else is at it, or it rests, or is gone
 */
export async function leaseConnection(
  sql: Sql,
  { projectId, id }: ConnectionKey,
  held = false,
): Promise<string | null> {
  const [row] = await sql<{ at: string }[]>`
    update source_connections set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where project_id = ${projectId} and id = ${id} and (${held} or (enabled and (leased_until is null or leased_until < now()))) returning now() as at`
  return row?.at ?? null
}

/** Lets it go, as when the process stops in the middle: what was taken stays. */
export const releaseConnection = async (sql: Sql, { projectId, id }: ConnectionKey): Promise<void> => {
  await sql`update source_connections set leased_until = null where project_id = ${projectId} and id = ${id}`
}

interface Noted {
  startedAt: string
  failures: number
  failure: FetchFailure | null
  restMs: number
}

/** Stores the result of a poll, and when the next one is due: at once where a person changed the connection meanwhile. */
export async function notePolled(
  sql: Sql,
  { projectId, id }: ConnectionKey,
  { startedAt, failures, failure, restMs }: Noted,
): Promise<void> {
  await sql`
    update source_connections set leased_until = null, last_polled_at = now(), last_ok_at = case when ${failures === 0} then now() else last_ok_at end,
      failures = ${failures}, last_error_kind = ${failure?.kind ?? null}, last_error_text = ${failure && fetchFailureText(failure)},
      next_at = case when edited_at > ${startedAt} then now() else now() + make_interval(secs => ${restMs / 1000}) end
    where project_id = ${projectId} and id = ${id}`
}
