import { actorOf, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam } from '@/app/_server/fix-access'
import { json, Refusal } from '@/app/_server/respond'
import { fixStore } from '@/app/_server/threads'
import { listExecutionFixes } from '@/db/queries/fixes'
import { suggestFix } from '@/db/fixes/suggest-fix'
import { newSuggestion } from '@/lib/api/fix-schemas'
import { SUGGEST_REFUSAL_WORDS } from '@/lib/words/fixes'
import { reviewText } from '@/lib/words/server/reviews'

/** A person's other lines for some of a patch: a fix of its own, with its own digest. The patch that it is made of never changes. */
export const POST = defineRoute<{ action: 'propose-fix' }, { id: string }>(
  '/api/v1/fixes/{id}/suggestions',
  { action: 'propose-fix' },
  async ({ request, params, access }) => {
    if (access.actor.kind !== 'person') throw new Refusal('not-allowed', reviewText.keysCantSuggest)
    const fix = await fixParam(access, params.id)
    checkBytes(access, fix)
    const suggestion = await readJson(request, newSuggestion)
    const done = await suggestFix(fixStore(db()), {
      projectId: fix.projectId,
      fixId: fix.id,
      actor: actorOf(access),
      actorName: access.actor.name,
      suggestion,
    })
    if (!('refused' in done)) {
      const made = (await listExecutionFixes(db(), projectIds(access), fix.executionId)).find(
        (one) => one.id === done.fixId,
      )
      return json({ fix: made, isNew: done.isNew }, { status: done.isNew ? 201 : 200 })
    }
    switch (done.refused) {
      case 'stale':
        throw new Refusal('stale-write', reviewText.suggestionTooLate({ state: done.state }))
      case 'no-such-fix':
        throw new Refusal('bad-request', reviewText.suggestionOnOtherPatch)
      case 'no-execution':
        throw new Refusal('not-found')
      default:
        throw new Refusal('bad-request', SUGGEST_REFUSAL_WORDS[done.refused])
    }
  },
)
