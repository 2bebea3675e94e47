import { type Access, actorOf, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { listFixComments } from '@/db/queries/fix'
import { commentFix, type CommentRefusal } from '@/db/fixes/comment-fix'
import { newComment } from '@/lib/api/fix-schemas'
import { reviewText } from '@/lib/words/server/reviews'

const REFUSALS: Record<Exclude<CommentRefusal['refused'], 'not-found'>, string> = {
  'no-thread': reviewText.threadNotFound,
  'no-target': reviewText.commentNotFound,
  'not-mine': reviewText.notCommentAuthor,
  empty: reviewText.textEmpty,
  'other-bytes': reviewText.commentOnOtherPatch,
  'no-such-lines': reviewText.lineNotFound,
}

const listed = async (
  access: Access,
  id: string,
  projectId: string,
  versions: 'own' | 'all' = 'own',
): Promise<Response> =>
  json({ items: await listFixComments(db(), projectId, id, actorOf(access), versions), nextCursor: null })

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/comments',
  { action: 'read' },
  async ({ params, access, query }) => {
    const { id, projectId } = await fixParam(access, params.id)
    const versions = query.get('versions') ?? 'own'
    if (versions !== 'own' && versions !== 'all') throw new Refusal('bad-request', reviewText.versionsParam)
    return listed(access, id, projectId, versions)
  },
)

/** Answers all comments of the fix, the new one among them. */
export const POST = defineRoute<{ action: 'comment-fix' }, { id: string }>(
  '/api/v1/fixes/{id}/comments',
  { action: 'comment-fix' },
  async ({ request, params, access }) => {
    const id = uuidParam(params.id)
    const comment = await readJson(request, newComment)
    const done = await commentFix(db(), {
      projectIds: projectIds(access),
      fixId: id,
      actor: actorOf(access),
      actorName: access.actor.name,
      comment,
    })
    if ('refused' in done)
      throw done.refused === 'not-found'
        ? new Refusal('not-found')
        : new Refusal('bad-request', REFUSALS[done.refused])
    return listed(access, id, (await fixParam(access, id)).projectId)
  },
)
