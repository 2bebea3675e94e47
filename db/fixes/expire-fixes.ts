import { v7 } from 'uuid'
import type { Sql } from '../client'
import { isStoreDown } from '../sql-state'
import { recordAudit } from '../audit'
import { notifyChanged } from '../notify'
import type { RowOf } from '../schema/rows'

const AT_ONCE = 200

/**
 * Notes of open fixes whose time is over that they have expired.
 *
 * @param onError hears of one that could not be noted; the others are
 * @returns how many were noted
 */
export async function expireFixes(
  sql: Sql,
  onError: (error: unknown, fixId: string) => void = () => {},
): Promise<number> {
  let expired = 0
  const due = await sql<RowOf<'fix_standing', 'project_id' | 'fix_id'>[]>`
    select project_id, fix_id from fix_standing where expires_at <= now() and state in ('proposed', 'changes_requested', 'approved') order by expires_at limit ${AT_ONCE}`
  for (const { project_id: projectId, fix_id: fixId } of due) {
    const note = sql.begin(async (tx) => {
      const [gone] = await tx<
        (RowOf<'fix_standing', 'execution_id' | 'state' | 'version'> &
          RowOf<'fixes', 'patch_sha256'> & {
            expires_at: NonNullable<RowOf<'fix_standing', 'expires_at'>['expires_at']>
          })[]
      >`
        select s.execution_id, s.state, s.version, f.patch_sha256, s.expires_at from fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id
        where s.project_id = ${projectId} and s.fix_id = ${fixId} and s.state in ('proposed', 'changes_requested', 'approved') for update of s`
      if (!gone) return
      await tx`
        insert into fix_reviews (project_id, fix_id, version, id, actor, actor_name, from_state, to_state, patch_sha256, comment)
        values (${projectId}, ${fixId}, ${gone.version + 1}, ${v7()}, 'system', 'Inquest', ${gone.state}, 'expired', ${gone.patch_sha256}, ${`Expired at ${new Date(gone.expires_at).toISOString()}.`})`
      await tx`update fix_standing set state = 'expired', version = version + 1, changed_at = clock_timestamp() where project_id = ${projectId} and fix_id = ${fixId}`
      await recordAudit(tx, { projectId, actor: 'system', action: 'fix.expire', subject: fixId })
      await notifyChanged(tx, projectId, [gone.execution_id])
    })
    await note.then(
      () => void expired++,
      (error: unknown) => {
        if (isStoreDown(error)) throw error
        onError(error, fixId)
      },
    )
  }
  return expired
}
