import { type Access, actorOf, chooseProject } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { failureTag } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json } from '@/app/_server/respond'
import { analyseExecutions } from '@/db/writes/analyse'
import { recordAudit } from '@/db/writes/audit'
import { reingest } from '@/db/writes/reingest'
import { reingestBody } from '@/lib/api/admin-schemas'

/** The entry stands before the work: one that is cut short was still asked for. */
const note = (access: Access, projectId: string, subject: string): Promise<unknown> =>
  db().sql.begin((tx) =>
    recordAudit(tx, { projectId, actor: actorOf(access), action: 'reingest.start', subject }),
  )

/** Builds what is derived anew: of a project from its kept bytes, of one execution from its events. Answers when it is done. */
export const POST = defineRoute('/api/v1/reingest', { action: 'reingest' }, async ({ request, access }) => {
  const { project: slug, execution } = await readJson(request, reingestBody)
  if (execution !== undefined) {
    const { id, projectIds } = await executionParam(access, execution)
    await note(access, projectIds[0]!, id)
    await analyseExecutions(db(), [id])
    return json({ streams: 0, executions: 1, records: 0 })
  }
  const { id } = chooseProject(access, slug)
  await note(access, id, id)
  return json(await reingest(db(), { projectId: id, failureTag: failureTag() }))
})
