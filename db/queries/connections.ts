import type { ConnectionItem } from '@/lib/api/connection-schemas'
import { connectionState } from '@/lib/connections/state'
import type { Sql } from '../client'
import { openSealed } from '../seal'
import type { RowOf } from '../schema/rows'
import { tablesWords } from '@/lib/words/connections'

/** Connections of the projects, oldest first, or the one with this id. Of what opens a server only that there is something. */
export async function listConnections(
  sql: Sql,
  projectIds: string[],
  id: string | null = null,
): Promise<ConnectionItem[]> {
  const rows = await sql<
    (RowOf<
      'source_connections',
      | 'id'
      | 'kind'
      | 'baseUrl'
      | 'allowPrivate'
      | 'enabled'
      | 'intervalSeconds'
      | 'createdAt'
      | 'lastPolledAt'
      | 'lastOkAt'
      | 'tablesReadAt'
      | 'tablesProblem'
      | 'failures'
    > &
      RowOf<'sources', 'name'> & {
        project: RowOf<'projects', 'slug'>['slug']
        sourceId: RowOf<'sources', 'id'>['id']
        headerName: RowOf<'source_connections', 'auth_header'>['auth_header']
        errorKind: RowOf<'source_connections', 'last_error_kind'>['last_error_kind']
        errorText: RowOf<'source_connections', 'last_error_text'>['last_error_text']
        hasCredential: boolean
        hasDatabase: boolean
        nextAt: string | null
        known: number
        open: number
        untaken: number
      })[]
  >`
    select c.id, p.slug as project, s.id as "sourceId", s.name, c.kind, c.base_url as "baseUrl", c.auth_header as "headerName",
      c.credential is not null as "hasCredential", c.database_url is not null as "hasDatabase", c.allow_private as "allowPrivate", c.enabled,
      c.interval_seconds as "intervalSeconds", c.created_at as "createdAt", c.last_polled_at as "lastPolledAt", c.last_ok_at as "lastOkAt",
      c.last_error_kind as "errorKind", c.last_error_text as "errorText", c.tables_read_at as "tablesReadAt", c.tables_problem as "tablesProblem", c.failures, case when c.enabled then c.next_at end as "nextAt",
      r.known, r.open, r.untaken
    from source_connections c
    join projects p on p.id = c.project_id
    join sources s on s.project_id = c.project_id and s.id = c.source_id
    cross join lateral (
      select count(*)::int as known, count(*) filter (where not ended and look_at is not null)::int as open,
        count(*) filter (where look_at is not null and (status is null or walk_page is not null))::int as untaken
      from connection_runs x where x.project_id = c.project_id and x.connection_id = c.id) r
    where c.project_id = any (${projectIds}::uuid[]) and (${id}::uuid is null or c.id = ${id}::uuid)
    order by c.created_at, c.id`
  return rows.map(({ known, open, untaken, errorKind, errorText, tablesReadAt, tablesProblem, ...row }) => ({
    ...row,
    state: connectionState({ ...row, untaken }),
    executions: { known, open, untaken },
    tables: row.hasDatabase
      ? { readAt: tablesReadAt, problem: tablesProblem, text: tablesProblem && tablesWords(tablesProblem) }
      : null,
    lastError: errorKind === null ? null : { kind: errorKind, text: errorText ?? '' },
  }))
}

/** A connection as the server uses it, with what opens its source. Nothing of this type is ever sent to anyone else. */
export interface OpenConnection {
  projectId: string
  id: string
  sourceId: string
  sourceName: string
  kind: string
  baseUrl: string
  header: { name: string; value: string } | null
  databaseUrl: string | null
  /** False when what was sealed cannot be opened any more, as with another secret of the server. */
  opened: boolean
  allowPrivate: boolean
  enabled: boolean
  intervalSeconds: number
  knownSince: string | null
  failures: number
  /** When it was read, by the clock of the database. */
  openedAt: string
}

type Sealed = Omit<OpenConnection, 'header' | 'databaseUrl' | 'opened'> & {
  headerName: string | null
  credential: Uint8Array | null
  database: Uint8Array | null
}

/** @param secret that of the server, from which the key is derived */
export async function readOpenConnection(
  sql: Sql,
  secret: string,
  { projectIds, id, sourceId }: { projectIds: string[]; id?: string; sourceId?: string },
): Promise<OpenConnection | null> {
  const [row] = await sql<
    (RowOf<
      'source_connections',
      | 'projectId'
      | 'id'
      | 'sourceId'
      | 'kind'
      | 'baseUrl'
      | 'credential'
      | 'allowPrivate'
      | 'enabled'
      | 'intervalSeconds'
      | 'knownSince'
      | 'failures'
    > & {
      sourceName: RowOf<'sources', 'name'>['name']
      headerName: RowOf<'source_connections', 'auth_header'>['auth_header']
      database: RowOf<'source_connections', 'database_url'>['database_url']
    } & Pick<Sealed, 'openedAt'>)[]
  >`
    select c.project_id as "projectId", c.id, c.source_id as "sourceId", s.name as "sourceName", c.kind, c.base_url as "baseUrl", c.auth_header as "headerName",
      c.credential, c.database_url as database, c.allow_private as "allowPrivate", c.enabled, c.interval_seconds as "intervalSeconds",
      c.known_since as "knownSince", c.failures, clock_timestamp()::text as "openedAt"
    from source_connections c join sources s on s.project_id = c.project_id and s.id = c.source_id
    where c.project_id = any (${projectIds}::uuid[]) and (c.id = ${id ?? null} or c.source_id = ${sourceId ?? null})`
  if (!row) return null
  const { headerName, credential, database, ...rest } = row
  const open = (column: 'credential' | 'database_url', sealed: Uint8Array | null): string | null =>
    sealed === null
      ? null
      : openSealed(secret, { projectId: row.projectId, connectionId: row.id, column }, sealed)
  const [value, databaseUrl] = [open('credential', credential), open('database_url', database)]
  return {
    ...rest,
    databaseUrl,
    header: headerName === null || value === null ? null : { name: headerName, value },
    opened: (credential === null) === (value === null) && (database === null) === (databaseUrl === null),
  }
}
