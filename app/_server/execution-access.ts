import { readExecutionProject } from '@/db/queries/execution-project'
import { type Access, projectIds } from './access'
import { db } from './db'
import { uuidParam } from './params'
import { Refusal } from './respond'

/** The execution named in the path, when the reader may see it; an empty list of its parts then means that it has none. */
export async function executionParam(
  access: Access,
  value: string,
): Promise<{ id: string; projectIds: string[] }> {
  const id = uuidParam(value)
  const project = await readExecutionProject(db(), projectIds(access), id)
  if (project === null) throw new Refusal('not-found')
  return { id, projectIds: [project] }
}
