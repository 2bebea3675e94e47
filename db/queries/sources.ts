import type { Db } from '../client'

export interface SourceRow {
  id: string
  projectId: string
  /** Slug of the project. */
  project: string
  kind: string
  name: string
  redact: boolean
  createdAt: string
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
