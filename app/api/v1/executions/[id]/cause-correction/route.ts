import { actorOf } from '@/app/_server/access'
import { checked, readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { correctCause, type CorrectionRefusal, undoCorrection } from '@/db/corrections/correct-cause'
import { newCorrection, undoQuery } from '@/lib/api/correction-schemas'
import { correctionText } from '@/lib/words/server/corrections'

/** What a person says against the cause. The judged cause stays as it is. */
export const POST = defineRoute<{ action: 'correct-cause' }, { id: string }>(
  '/api/v1/executions/{id}/cause-correction',
  { action: 'correct-cause' },
  async ({ request, params, access }) => {
    const { id, projectIds } = await executionParam(access, params.id)
    const { call, reason, judged } = await readJson(request, newCorrection)
    const done = await correctCause(db(), {
      projectId: projectIds[0]!,
      executionId: id,
      actor: actorOf(access),
      actorName: access.actor.name,
      callId: call,
      reason,
      judged,
    })
    if ('refused' in done) throw refusalFor(done)
    return json(done.correction, { status: done.made ? 201 : 200 })
  },
)

export const DELETE = defineRoute<{ action: 'correct-cause' }, { id: string }>(
  '/api/v1/executions/{id}/cause-correction',
  { action: 'correct-cause' },
  async ({ params, access, query }) => {
    const { id, projectIds } = await executionParam(access, params.id)
    const { correction } = checked(undoQuery, { correction: query.get('correction') ?? undefined })
    const done = await undoCorrection(db(), {
      projectId: projectIds[0]!,
      executionId: id,
      actor: actorOf(access),
      actorName: access.actor.name,
      correctionId: correction ?? null,
    })
    if (done === null) throw new Refusal('not-found', correctionText.nothingToUndo)
    if ('refused' in done) throw new Refusal('stale-write', correctionText.undoneElsewhere({ by: done.by }))
    return json(done)
  },
)

function refusalFor(refusal: CorrectionRefusal): Refusal {
  switch (refusal.refused) {
    case 'no-cause':
      return new Refusal('stale-write', correctionText.noCause)
    case 'changed':
      return new Refusal('stale-write', correctionText.causeChanged)
    case 'corrected':
      return new Refusal('stale-write', correctionText.alreadyCorrected({ by: refusal.by }))
    case 'no-such-call':
      return new Refusal('bad-request', correctionText.noSuchCall)
    case 'not-failed':
      return new Refusal('bad-request', correctionText.callNotFailed)
  }
}
