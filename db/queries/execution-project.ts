import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** The project that contains the execution, if it is one of these; null when there is no such execution in them. */
export async function readExecutionProject(db: Db, projectIds: string[], id: string): Promise<string | null> {
  const [row] = await db.sql<
    RowOf<'executions', 'project_id'>[]
  >`select project_id from executions where project_id = any (${projectIds}::uuid[]) and id = ${id}`
  return row?.project_id ?? null
}
