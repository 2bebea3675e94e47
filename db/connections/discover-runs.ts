import { fetchFailure, type FetchFailure } from '@/lib/connections/failures'
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
 *
 * @returns `failure`: nothing more is to be asked; `note`: the list did not end as it should, and what it held can be taken
 */
export async function discoverRuns(
  sql: Sql,
  connection: OpenConnection,
  server: NoetlServer,
): Promise<{ failure: FetchFailure | null; note: FetchFailure | null }> {
  const { projectId, id, knownSince } = connection
  let newest = knownSince
  const seen = new Set<string>()
  let read = 0
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await server.list(page, read)
    if (!answer.ok) return { failure: answer.failure, note: null }
    // It would go on like that for ever. What it listed is taken, and the next walk looks as far back as this one.
    if (answer.runs.length > 0 && answer.runs.every(({ runId }) => seen.has(runId)))
      return {
        failure: null,
        note: fetchFailure('same_page', { id: 'list_page_repeats', params: { page } }),
      }
    for (const { runId } of answer.runs) seen.add(runId)
    await noteListed(sql, connection, answer.runs)
    await leaseConnection(sql, connection, true)
    read += answer.runs.length
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
  return { failure: null, note: null }
}
