import { readPatchAbout, type PatchAbout } from '@/db/queries/patch-bytes'
import { type Access, actorOf, projectIds } from './access'
import { db } from './db'
import { uuidParam } from './params'
import { Refusal } from './respond'

/** The fix named in the path, when the reader may see it. */
export async function fixParam(access: Access, value: string): Promise<PatchAbout & { id: string }> {
  const id = uuidParam(value)
  const about = await readPatchAbout(db(), projectIds(access), id)
  if (about === null) throw new Refusal('not-found')
  return { ...about, id }
}

/** How a reader of fixes stands to them. */
export const fixReader = (access: Access): { actor: string; reviewsIn: string[] } =>
  ({ actor: actorOf(access), reviewsIn: access.projects.filter(({ may }) => may('review-fix')).map(({ id }) => id) })

/** The bytes of a patch in which a secret was found are for reviewers: what must stay exact cannot be redacted. @throws Refusal `not-allowed` */
export function checkBytes(access: Access, { projectId, holdsSecret }: Pick<PatchAbout, 'projectId' | 'holdsSecret'>): void {
  if (holdsSecret && !access.projects.some(({ id, may }) => id === projectId && may('review-fix')))
    throw new Refusal('not-allowed', 'This patch seems to hold a secret; its bytes need the role reviewer, or a key with the scope write.')
}
