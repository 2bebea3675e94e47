import { actorOf, projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { readFixInput } from '@/app/_server/fix-input'
import { json, Refusal } from '@/app/_server/respond'
import { fixStore } from '@/app/_server/threads'
import { listExecutionFixes } from '@/db/queries/fixes'
import { proposeFix } from '@/db/fixes/propose-fix'
import { fixProblemText } from '@/lib/words/server/fixes'

type Params = { id: string }

export const GET = defineRoute<{ action: 'read' }, Params>(
  '/api/v1/executions/{id}/fixes',
  { action: 'read' },
  async ({ params, access }) => {
    const { id, projectIds: projects } = await executionParam(access, params.id)
    return json({ items: await listExecutionFixes(db(), projects, id), nextCursor: null })
  },
)

/** Stores a proposed patch and its proposal. What git refuses is stored, too: it is shown with the reason, and cannot be approved. */
export const POST = defineRoute<{ action: 'propose-fix' }, Params>(
  '/api/v1/executions/{id}/fixes',
  { action: 'propose-fix' },
  async ({ request, params, access, query }) => {
    const {
      id,
      projectIds: [projectId],
    } = await executionParam(access, params.id)
    const { bytes, proposal, transcript } = await readFixInput(request, query)
    const done = await proposeFix(fixStore(db()), {
      projectId: projectId!,
      executionId: id,
      bytes,
      proposal,
      transcript,
      actor: actorOf(access),
      actorName: access.actor.name,
    })
    if ('refused' in done) {
      if (done.refused === 'stale')
        throw new Refusal('stale-write', fixProblemText.supersededAlready({ state: done.state }))
      throw new Refusal(
        done.refused === 'no-execution' ? 'not-found' : 'bad-request',
        done.refused === 'no-execution' ? undefined : fixProblemText.supersedesUnknown,
      )
    }
    const fix = (await listExecutionFixes(db(), projectIds(access), id)).find((one) => one.id === done.fixId)
    return json({ fix, isNew: done.isNew }, { status: done.isNew ? 201 : 200 })
  },
)
