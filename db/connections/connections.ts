import type { ConnectionChange, NewConnection } from '@/lib/api/connection-schemas'
import type { Sql, Tx } from '../client'
import { seal } from '../seal'
import { enqueuePoll } from '../queue/enqueue'
import { recordAudit } from '../audit'
import { ensureSource } from '../writes/receive/ensure-source'
import type { RowOf } from '../schema/rows'

interface Made extends Omit<NewConnection, 'project'> {
  id: string
  projectId: string
  /** Of the server: what is sealed is sealed with a key that is derived from it. */
  secret: string
  actor: string
}

const INTERVAL_SECONDS = 60

/**
 * Connects a source by the address of its server, and asks for its first poll. The source is made where there is none of this name.
 *
 * @returns false when the source of this name is connected already
 */
export const createConnection = (sql: Sql, made: Made): Promise<boolean> =>
  sql.begin(async (tx) => {
    const {
      id,
      projectId,
      secret,
      actor,
      kind = 'noetl',
      name,
      baseUrl,
      header,
      databaseUrl,
      allowPrivate = false,
      intervalSeconds = INTERVAL_SECONDS,
    } = made
    const source = await ensureSource(tx, projectId, kind, name)
    const sealed = sealing(secret, projectId, id)
    const rows = await tx`
      insert into source_connections (project_id, id, source_id, kind, base_url, auth_header, credential, database_url, allow_private, interval_seconds)
      values (${projectId}, ${id}, ${source.id}, ${kind}, ${baseUrl}, ${header?.name ?? null}, ${sealed('credential', header?.value)},
        ${sealed('database_url', databaseUrl)}, ${allowPrivate}, ${intervalSeconds})
      on conflict (project_id, source_id) do nothing returning id`
    if (rows.length === 0) return false
    const detail = {
      source: name,
      kind,
      baseUrl,
      header: header?.name ?? null,
      database: databaseUrl !== undefined,
      allowPrivate,
      intervalSeconds,
    }
    await recordAudit(tx, { projectId, actor, action: 'connection.create', subject: id, detail })
    await enqueuePoll(tx, { projectId, id })
    return true
  })

const sealing =
  (secret: string, projectId: string, connectionId: string) =>
  (column: 'credential' | 'database_url', text: string | null | undefined): Buffer | null =>
    text == null ? null : seal(secret, { projectId, connectionId, column }, text)

interface Change {
  id: string
  projectIds: string[]
  secret: string
  actor: string
  change: ConnectionChange
}

/** `needs-header`: a credential is not taken along to another host, whoever asks for it. */
export type Changed = 'done' | 'not-found' | 'needs-header'

/** Changes a connection, and has it polled soon, as if nothing had failed before. */
export const changeConnection = (
  sql: Sql,
  { id, projectIds, secret, actor, change }: Change,
): Promise<Changed> =>
  sql.begin(async (tx) => {
    const [row] = await tx<RowOf<'source_connections', 'project_id' | 'base_url' | 'credential'>[]>`
      select project_id, base_url, credential from source_connections where id = ${id} and project_id = any (${projectIds}::uuid[]) for update`
    if (!row) return 'not-found'
    const { header, databaseUrl, baseUrl, allowPrivate, intervalSeconds, enabled } = change
    const moves = baseUrl !== undefined && new URL(baseUrl).origin !== new URL(row.base_url).origin
    if (moves && row.credential !== null && header === undefined) return 'needs-header'
    const projectId = row.project_id
    const sealed = sealing(secret, projectId, id)
    if (header !== undefined)
      await tx`update source_connections set auth_header = ${header?.name ?? null}, credential = ${sealed('credential', header?.value)} where project_id = ${projectId} and id = ${id}`
    if (databaseUrl !== undefined)
      await tx`update source_connections set database_url = ${sealed('database_url', databaseUrl)}, tables_cursor = null, tables_read_at = null, tables_problem = null where project_id = ${projectId} and id = ${id}`
    await tx`
      update source_connections set base_url = coalesce(${baseUrl ?? null}, base_url), allow_private = coalesce(${allowPrivate ?? null}, allow_private),
        interval_seconds = coalesce(${intervalSeconds ?? null}, interval_seconds), enabled = coalesce(${enabled ?? null}, enabled),
        edited_at = clock_timestamp(), next_at = clock_timestamp(), failures = 0, last_error_kind = null, last_error_text = null
      where project_id = ${projectId} and id = ${id}`
    // Another address can be another server: nothing is known of what it holds.
    if (baseUrl !== undefined && baseUrl !== row.base_url) {
      await tx`delete from connection_runs where project_id = ${projectId} and connection_id = ${id}`
      await tx`update source_connections set known_since = null, last_ok_at = null, tables_cursor = null where project_id = ${projectId} and id = ${id}`
    }
    // Which fields, and of secrets only that they changed.
    const { header: _h, databaseUrl: _d, ...plain } = change
    const detail = {
      ...plain,
      ...(header === undefined ? {} : { header: header?.name ?? null }),
      ...(databaseUrl === undefined ? {} : { database: databaseUrl !== null }),
    }
    await recordAudit(tx, { projectId, actor, action: 'connection.change', subject: id, detail })
    await enqueuePoll(tx, { projectId, id })
    return 'done'
  })

/** Has a connection polled soon whose server answers again. */
export const wakeConnection = (
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> =>
  sql.begin(async (tx) => {
    const woken =
      await tx`update source_connections set next_at = now() where project_id = ${projectId} and id = ${id} and enabled and failures > 0 and next_at > now() returning id`
    if (woken.length > 0) await enqueuePoll(tx, { projectId, id })
  })

/** Forgets a connection and what opened it; the source stays, with all that was taken in. */
export const removeConnection = (
  sql: Sql,
  { id, projectIds, actor }: { id: string; projectIds: string[]; actor: string },
): Promise<boolean> =>
  sql.begin(async (tx: Tx) => {
    const [gone] = await tx<RowOf<'source_connections', 'project_id' | 'base_url'>[]>`
      delete from source_connections where id = ${id} and project_id = any (${projectIds}::uuid[]) returning project_id, base_url`
    if (!gone) return false
    await recordAudit(tx, {
      projectId: gone.project_id,
      actor,
      action: 'connection.remove',
      subject: id,
      detail: { baseUrl: gone.base_url },
    })
    return true
  })
