import type { FetchFailure } from '@/lib/connections/failures'
import type { Sql } from '../client'
import type { OpenConnection } from '../queries/connections'
import type { NoetlServer } from './noetl-server'
import { leaseConnection } from './lease'
import { noteListed } from './run-standing'

/** Runs can be listed a little after they began. */
const LATE_MS = 10 * 60_000
/** Pages of a list that is walked, though its server never ends it. */
const PAGES_MAX = 1_000

/**
 * Walks the list of a server, the newest run first, back to where all runs were known after the last walk that came to its end; the first time, as
 * far as the server goes.
 */
export async function discoverRuns(
  sql: Sql,
  connection: OpenConnection,
  server: NoetlServer,
): Promise<FetchFailure | null> {
  const { projectId, id, knownSince } = connection
  let newest = knownSince
  let seen = 0
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await server.list(page, seen)
    if (!answer.ok) return answer.failure
    await noteListed(sql, connection, answer.runs)
    await leaseConnection(sql, connection, true)
    seen += answer.runs.length
    const starts = answer.runs.flatMap(({ startedAt }) => startedAt ?? []).sort()
    const [oldest, latest] = [starts[0], starts.at(-1)]
    if (latest !== undefined && (newest === null || latest > newest)) newest = latest
    if (!answer.more) break
    if (knownSince !== null && oldest !== undefined && Date.parse(oldest) < Date.parse(knownSince) - LATE_MS)
      break
  }
  // A start that lies ahead would hide all that come before it.
  if (newest !== knownSince)
    await sql`update source_connections set known_since = least(${newest}::timestamptz, now()) where project_id = ${projectId} and id = ${id}`
  return null
}
