import { actorOf, chooseProject, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { listReingests, readReingest } from '@/db/queries/reingests'
import { analyseExecutions } from '@/db/writes/derive/analyse'
import { recordAudit } from '@/db/audit'
import { requestReingest } from '@/db/rebuild/reingest-job'
import { reingestBody } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { requestText } from '@/lib/words/server/requests'

/** The newest rebuild of each project. */
export const GET = defineRoute('/api/v1/reingest', { action: 'reingest' }, async ({ access, query }) =>
  json({ items: await listReingests(db().sql, projectIds(access, query.get('project'))) }),
)

/**
 * Rebuilds what is derived: one execution from its events, which is done when this answers, or a whole project from its kept bytes, which becomes a job.
 */
export const POST = defineRoute('/api/v1/reingest', { action: 'reingest' }, async ({ request, access }) => {
  const { project: slug, execution } = await readJson(request, reingestBody)
  const actor = actorOf(access)
  if (execution !== undefined) {
    const { id, projectIds: own } = await executionParam(access, execution)
    // The entry is before the work: one that is cut short was still asked for.
    await db().sql.begin((tx) =>
      recordAudit(tx, { projectId: own[0]!, actor, action: 'reingest.start', subject: id }),
    )
    const analysed = await analyseExecutions(db(), [id])
    return json({
      streams: 0,
      executions: 1,
      records: 0,
      quarantined: analysed.filter(({ failure }) => failure).length,
    })
  }
  const { id: projectId } = chooseProject(access, slug)
  const { id, isNew } = await requestReingest(db().sql, { projectId, actor })
  if (!isNew) throw new Refusal('in-use', requestText.rebuildRunning({ api: links.api.reingestJob(id) }))
  return json(await readReingest(db().sql, [projectId], id), {
    status: 202,
    headers: { location: links.api.reingestJob(id) },
  })
})
