import type { Sql } from '../client'
import { SQL_STATE, sqlState } from '../sql-state'
import { recordAudit } from '../audit'
import type { RowOf } from '../schema/rows'

/** Adds a source before its first data. @returns false when the project has one of this kind and name */
export async function createSource(
  sql: Sql,
  source: { id: string; projectId: string; kind: string; name: string; redact: boolean; actor: string },
): Promise<boolean> {
  const { id, projectId, kind, name, redact, actor } = source
  try {
    await sql.begin(async (tx) => {
      await tx`insert into sources (project_id, id, kind, name, redact) values (${projectId}, ${id}, ${kind}, ${name}, ${redact})`
      await recordAudit(tx, {
        projectId,
        actor,
        action: 'source.create',
        subject: id,
        detail: { kind, name, redact },
      })
    })
    return true
  } catch (error) {
    if (sqlState(error) === SQL_STATE.uniqueViolation) return false
    throw error
  }
}

/** Switches redaction on or off for what arrives from now on. @returns false when there is no such source in the projects */
export const changeSource = (
  sql: Sql,
  change: { id: string; projectIds: string[]; redact: boolean; actor: string },
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const [source] = await tx<RowOf<'sources', 'project_id'>[]>`
      update sources set redact = ${change.redact} where id = ${change.id} and project_id = any(${change.projectIds}) returning project_id`
    if (!source) return false
    await recordAudit(tx, {
      projectId: source.project_id,
      actor: change.actor,
      action: 'source.change',
      subject: change.id,
      detail: { redact: change.redact },
    })
    return true
  })

/** Removes a source that never received anything; data that was received is never removed with it. */
export async function removeSource(
  sql: Sql,
  { id, projectIds, actor }: { id: string; projectIds: string[]; actor: string },
): Promise<'done' | 'not-found' | 'connected' | 'has-data'> {
  try {
    return await sql.begin(async (tx) => {
      const [connected] =
        await tx`select 1 from source_connections where source_id = ${id} and project_id = any(${projectIds})`
      if (connected) return 'connected'
      const [source] = await tx<RowOf<'sources', 'project_id' | 'kind' | 'name'>[]>`
        delete from sources where id = ${id} and project_id = any(${projectIds}) returning project_id, kind, name`
      if (!source) return 'not-found'
      await recordAudit(tx, {
        projectId: source.project_id,
        actor,
        action: 'source.remove',
        subject: id,
        detail: { kind: source.kind, name: source.name },
      })
      return 'done'
    })
  } catch (error) {
    const state = sqlState(error)
    if (state === SQL_STATE.foreignKeyViolation || state === SQL_STATE.restrictViolation) return 'has-data'
    throw error
  }
}
