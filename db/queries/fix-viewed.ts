import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** Digests of the files of a fix that the person has marked as seen. */
export async function listViewedFiles(
  db: Pick<Db, 'sql'>,
  { projectId, fixId, personId }: { projectId: string; fixId: string; personId: string },
): Promise<string[]> {
  const rows = await db.sql<
    {
      sha256: RowOf<'fix_viewed', 'file_sha256'>['file_sha256']
    }[]
  >`
    select v.file_sha256 as sha256 from fixes f join fix_viewed v on v.project_id = f.project_id and v.execution_id = f.execution_id
    where f.project_id = ${projectId} and f.id = ${fixId} and v.person_id = ${personId}
      and v.file_sha256 in (select document ->> 'sha256' from fix_files where project_id = ${projectId} and fix_id = ${fixId}) order by 1`
  return rows.map(({ sha256 }) => sha256)
}
