import { actorOf, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixReader } from '@/app/_server/fix-access'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { readFix } from '@/db/queries/fix'
import { reviewFix, type ReviewRefusal } from '@/db/fixes/review-fix'
import { newReview } from '@/lib/api/fix-schemas'
import { NOT_READ } from '@/lib/judge/fixes/unread'

/** A person's decision. It changes the state of the fix and nothing else: no patch is ever applied here. */
export const POST = defineRoute<{ action: 'review-fix' }, { id: string }>(
  '/api/v1/fixes/{id}/reviews',
  { action: 'review-fix' },
  async ({ request, params, access }) => {
    if (access.actor.kind !== 'person')
      throw new Refusal(
        'not-allowed',
        'API keys can’t review fixes. Sign in. A key can propose, read and comment.',
      )
    const id = uuidParam(params.id)
    const review = await readJson(request, newReview)
    const projects = projectIds(access)
    const done = await reviewFix(db(), {
      projectIds: projects,
      fixId: id,
      actor: actorOf(access),
      actorName: access.actor.name,
      review,
    })
    if ('refused' in done) throw refusalFor(done)
    return json(await readFix(db(), { projectIds: projects, id, reader: fixReader(access) }))
  },
)

function refusalFor(refusal: ReviewRefusal): Refusal {
  switch (refusal.refused) {
    case 'not-found':
      return new Refusal('not-found')
    case 'stale':
      return new Refusal(
        'stale-write',
        `Since you looked${refusal.by === null ? '' : `, ${refusal.by} decided`}: the fix is now “${refusal.state}” (version ${refusal.version}). Your review was not saved; the attempt is in the history.`,
      )
    case 'own':
      return new Refusal('not-allowed', 'You proposed this fix. Someone else must review it.')
    case 'expired':
      return new Refusal('review-refused', 'The fix has expired.')
    case 'reason-missing':
      return new Refusal('review-refused', 'comment: required. Every review needs a reason.')
    case 'report-missing':
      return new Refusal('review-refused', 'applied: required. Say how you applied it.')
    case 'report-misplaced':
      return new Refusal('review-refused', 'applied: only allowed when `to` is applied.')
    case 'not-allowed':
      return new Refusal('review-refused', `A fix in state “${refusal.state}” can’t change to that state.`)
    case 'blocked':
      return new Refusal(
        'review-refused',
        `The patch cannot be approved${refusal.codes.includes(NOT_READ) ? ' before it is read' : ''}: ${refusal.codes.join(', ')}.`,
      )
    case 'not-acknowledged':
      return new Refusal(
        'review-refused',
        `acknowledged: review ${refusal.codes.join(', ')} first, then confirm it here.`,
      )
  }
}
