import type { Sql } from '../client'

/** Marks bytes of a patch as seen by a person, or takes the mark back. It holds for every fix of the execution that has the same bytes for a file. */
export async function markViewedFile(
  sql: Sql,
  mark: { projectId: string; executionId: string; personId: string; sha256: string; viewed: boolean },
): Promise<void> {
  const { projectId, executionId, personId, sha256, viewed } = mark
  if (viewed)
    await sql`insert into fix_viewed (project_id, person_id, execution_id, file_sha256) values (${projectId}, ${personId}, ${executionId}, ${sha256}) on conflict do nothing`
  else
    await sql`delete from fix_viewed where project_id = ${projectId} and person_id = ${personId} and execution_id = ${executionId} and file_sha256 = ${sha256}`
}
