import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

export type SourceRow = RowOf<'sources', 'id' | 'projectId' | 'kind' | 'name' | 'redact' | 'createdAt'> & {
  /** Slug of the project. */
  project: RowOf<'projects', 'slug'>['slug']
}

/** Sources of the projects, oldest first. */
export async function listSources(db: Db, projectIds: string[]): Promise<SourceRow[]> {
  return db.sql<SourceRow[]>`
    select s.id, s.project_id as "projectId", p.slug as project, s.kind, s.name, s.redact, s.created_at as "createdAt"
    from sources s join projects p on p.id = s.project_id
    where s.project_id = any (${projectIds}::uuid[]) order by s.created_at, s.id`
}

/** The same by id, for naming the source of a row. */
export const mapSources = async (db: Db, projectIds: string[]): Promise<Map<string, SourceRow>> =>
  new Map((await listSources(db, projectIds)).map((source) => [source.id, source]))

/** By id: how many executions each source has that received anything at all; such a source cannot be removed. */
export async function readReceivedSources(db: Db, projectIds: string[]): Promise<Record<string, number>> {
  const rows = await db.sql<
    (RowOf<'sources', 'id'> & {
      executions: number
    })[]
  >`
    select s.id, (
      select coalesce(sum(n), 0)::int from (
        select n from facet_counts where project_id = s.project_id and facet = 'source' and value = s.id::text
        union all
        select n from facet_deltas where project_id = s.project_id and facet = 'source' and value = s.id::text
      ) counted) as executions
    from sources s
    where s.project_id = any (${projectIds}::uuid[])
      and exists (select 1 from streams t where t.project_id = s.project_id and t.source_id = s.id)`
  return Object.fromEntries(rows.map((row) => [row.id, row.executions]))
}
