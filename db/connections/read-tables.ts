import type { Sql } from '../client'
import type { RowOf } from '../schema/rows'
import { pollTables, type PollTables } from '../noetl/poll-tables'
import type { OpenConnection } from '../queries/connections'
import type { ConnectionKey } from './run-standing'

interface Reading {
  sql: Sql
  ingest: NonNullable<PollTables['ingest']>
  signal?: AbortSignal
  failureTag?: string
}

/**
 * Takes in what is new in the tables of a connected source, where it has an address of its database: what its API leaves out, above all which attempt a command is. A
 * database that cannot be read is reported, and doesn't delay the API.
 *
 * @returns whether there is more to read at once
 */
export async function readConnectedTables(
  key: ConnectionKey,
  connection: OpenConnection,
  { sql, ingest, signal, failureTag }: Reading,
): Promise<boolean> {
  const { databaseUrl, kind, sourceName, allowPrivate } = connection
  if (databaseUrl === null) return false
  const [row] = await sql<{ cursor: RowOf<'source_connections', 'tables_cursor'>['tables_cursor'] }[]>`
    select tables_cursor as cursor from source_connections where project_id = ${key.projectId} and id = ${key.id}`
  const polled = await pollTables(
    { sql },
    {
      projectId: key.projectId,
      source: { kind, name: sourceName },
      url: databaseUrl,
      cursor: row?.cursor ?? null,
      signal,
      allowPrivate,
      ingest: (body) => ingest({ ...body, failureTag }),
    },
  )
  if (polled.state === 'cancelled') return false
  // Another address that was given meanwhile is another log.
  await sql`
    update source_connections set tables_cursor = case when edited_at <= ${connection.openedAt} then ${JSON.stringify(polled.cursor)}::text::jsonb else tables_cursor end, tables_read_at = now(),
      tables_problem = ${polled.state === 'up_to_date' || polled.state === 'more' ? null : polled.state}
    where project_id = ${key.projectId} and id = ${key.id}`
  return polled.state === 'more'
}
