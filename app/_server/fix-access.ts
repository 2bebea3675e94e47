import { readPatchAbout, type PatchAbout } from '@/db/queries/patch-bytes'
import { fixProblemText } from '@/lib/words/server/fixes'
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
export const fixReader = (access: Access): { actor: string; reviewsIn: string[] } => ({
  actor: actorOf(access),
  reviewsIn: access.projects.filter(({ may }) => may('review-fix')).map(({ id }) => id),
})

/** Whether the reader gets the bytes of this patch as they are: those of one in which a secret was found, or nobody has looked for any, are for reviewers. */
export const mayHaveBytes = (
  access: Access,
  { projectId, holdsSecret }: Pick<PatchAbout, 'projectId' | 'holdsSecret'>,
): boolean => !holdsSecret || access.projects.some(({ id, may }) => id === projectId && may('review-fix'))

/** What must stay exact cannot be redacted, so it is not handed out. @throws Refusal `not-allowed` */
export function checkBytes(
  access: Access,
  about: Pick<PatchAbout, 'projectId' | 'holdsSecret' | 'isUnread'>,
): void {
  if (!mayHaveBytes(access, about))
    throw new Refusal('not-allowed', fixProblemText.downloadRequires({ isUnread: about.isUnread }))
}
