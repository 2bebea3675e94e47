import { v7 } from 'uuid'
import { actorOf, chooseProject, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { listSources } from '@/db/queries/sources'
import { createSource } from '@/db/sources/sources'
import { newSource, type SourceItem } from '@/lib/api/admin-schemas'
import type { Page } from '@/lib/model/page'
import { sourceProblemText } from '@/lib/words/server/sources'

export const GET = defineRoute('/api/v1/sources', { action: 'read' }, async ({ access, query }) => {
  const rows = await listSources(db(), projectIds(access, query.get('project')))
  const items = rows.map(
    ({ id, project, kind, name, redact, createdAt }): SourceItem => ({
      id,
      project,
      kind,
      name,
      redact,
      createdAt,
    }),
  )
  return json({ items, nextCursor: null } satisfies Page<SourceItem>)
})

export const POST = defineRoute(
  '/api/v1/sources',
  { action: 'manage-sources' },
  async ({ request, access }) => {
    const { project: slug, kind, name, redact = true } = await readJson(request, newSource)
    const project = chooseProject(access, slug)
    const id = v7()
    const made = await createSource(db().sql, {
      id,
      projectId: project.id,
      kind,
      name,
      redact,
      actor: actorOf(access),
    })
    if (!made) throw new Refusal('in-use', sourceProblemText.sourceExists({ name }))
    const source = (await listSources(db(), [project.id])).find((row) => row.id === id)!
    const item: SourceItem = { id, project: source.project, kind, name, redact, createdAt: source.createdAt }
    return json(item, { status: 201 })
  },
)
