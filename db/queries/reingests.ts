import type { ReingestItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import type { Sql } from '../client'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'

const read = async (sql: Sql, projectIds: string[], where: ReturnType<Sql>): Promise<ReingestItem[]> => {
  const rows = await sql<
    (RowOf<
      'reingests',
      | 'id'
      | 'phase'
      | 'done'
      | 'total'
      | 'streams'
      | 'executions'
      | 'records'
      | 'quarantined'
      | 'problems'
      | 'problemsTotal'
      | 'error'
      | 'requestedAt'
      | 'startedAt'
      | 'endedAt'
    > & {
      project: RowOf<'projects', 'slug'>['slug']
      state: string
    })[]
  >`
    select r.id, p.slug as project, case when r.state = 'running' and r.stop_requested_by is not null then 'stopping' else r.state end as state, r.phase, r.done, r.total,
      r.streams, r.executions, r.records, r.quarantined, r.problems, r.problems_total as "problemsTotal", r.error,
      r.requested_at as "requestedAt", r.started_at as "startedAt", r.ended_at as "endedAt"
    from reingests r join projects p on p.id = r.project_id where r.project_id = any (${projectIds}::uuid[]) ${where}`
  return rows.map((row) => ({ ...row, url: links.api.reingestJob(row.id) }))
}

/** One job; null when there is none that the projects hold. */
export async function readReingest(sql: Sql, projectIds: string[], id: string): Promise<ReingestItem | null> {
  return isUuid(id) ? ((await read(sql, projectIds, sql`and r.id = ${id}`))[0] ?? null) : null
}

/** The newest job of each project. */
export const listReingests = (sql: Sql, projectIds: string[]): Promise<ReingestItem[]> =>
  read(
    sql,
    projectIds,
    sql`and r.id = (select n.id from reingests n where n.project_id = r.project_id order by n.requested_at desc, n.id desc limit 1) order by p.slug`,
  )
