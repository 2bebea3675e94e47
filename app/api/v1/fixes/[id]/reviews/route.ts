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
import { reviewText } from '@/lib/words/server/reviews'

/** A person's decision. It changes the state of the fix and nothing else: no patch is ever applied here. */
export const POST = defineRoute<{ action: 'review-fix' }, { id: string }>(
  '/api/v1/fixes/{id}/reviews',
  { action: 'review-fix' },
  async ({ request, params, access }) => {
    if (access.actor.kind !== 'person') throw new Refusal('not-allowed', reviewText.keysCantReview)
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
        reviewText.reviewTooLate({ by: refusal.by, state: refusal.state, version: refusal.version }),
      )
    case 'own':
      return new Refusal('not-allowed', reviewText.ownFix)
    case 'expired':
      return new Refusal('review-refused', reviewText.fixExpired)
    case 'reason-missing':
      return new Refusal('review-refused', reviewText.commentRequired)
    case 'report-missing':
      return new Refusal('review-refused', reviewText.appliedRequired)
    case 'report-misplaced':
      return new Refusal('review-refused', reviewText.appliedNotAllowed)
    case 'not-allowed':
      return new Refusal('review-refused', reviewText.noSuchStep({ state: refusal.state }))
    case 'blocked':
      return new Refusal(
        'review-refused',
        reviewText.patchNotApprovable({ isUnread: refusal.codes.includes(NOT_READ), codes: refusal.codes }),
      )
    case 'not-acknowledged':
      return new Refusal('review-refused', reviewText.flagsNotAcknowledged({ codes: refusal.codes }))
  }
}
