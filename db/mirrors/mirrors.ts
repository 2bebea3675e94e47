import type { Sql } from '../client'
import { enqueueFits } from '../queue/enqueue'
import { recordAudit } from '../audit'
import type { RowOf } from '../schema/rows'

export interface NewMirrorRow {
  projectId: string
  id: string
  /** Null: for fixes that name none. */
  repository: string | null
  path: string
  branch: string
  actor: string
}

/** Fixes that are checked when their mirror is set up, the newest. */
const CHECKED_AT_ONCE = 200

/** Sets a mirror up for a repository, and has the open fixes of it checked. @returns false when the repository has one already */
export const createMirror = (
  sql: Sql,
  { projectId, id, repository, path, branch, actor }: NewMirrorRow,
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const rows = await tx`
      insert into mirrors (project_id, id, repository, path, branch) values (${projectId}, ${id}, ${repository ?? ''}, ${path}, ${branch})
      on conflict (project_id, repository) do nothing returning id`
    if (rows.length === 0) return false
    await recordAudit(tx, {
      projectId,
      actor,
      action: 'mirror.create',
      subject: id,
      detail: { repository, path, branch },
    })
    const open = await tx<RowOf<'fixes', 'id'>[]>`
      select f.id from fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id
      where s.project_id = ${projectId} and s.state in ('proposed', 'changes_requested', 'approved') and coalesce(f.proposal -> 'base' ->> 'repository', '') = ${repository ?? ''}
      order by s.received_at desc limit ${CHECKED_AT_ONCE}`
    await enqueueFits(
      tx,
      projectId,
      open.map((fix) => fix.id),
    )
    return true
  })

/** Forgets a mirror. The repository is left alone, and so is what was found with it. */
export const removeMirror = (
  sql: Sql,
  { id, projectIds, actor }: { id: string; projectIds: string[]; actor: string },
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const [gone] = await tx<RowOf<'mirrors', 'project_id' | 'repository' | 'path'>[]>`
      delete from mirrors where id = ${id} and project_id = any (${projectIds}::uuid[]) returning project_id, repository, path`
    if (!gone) return false
    await recordAudit(tx, {
      projectId: gone.project_id,
      actor,
      action: 'mirror.remove',
      subject: id,
      detail: { repository: gone.repository || null, path: gone.path },
    })
    return true
  })
