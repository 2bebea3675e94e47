import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { limitParam } from '@/app/_server/params'
import { json } from '@/app/_server/respond'
import { listFixes, readFixFacets } from '@/db/queries/fixes'
import { readFixQuestion } from '@/lib/model/fix-question'

/** The queue: fixes, newest first, with what each facet would leave. */
export const GET = defineRoute('/api/v1/fixes', { action: 'read' }, async ({ access, query }) => {
  const projects = projectIds(access, query.get('project'))
  const question = readFixQuestion(query)
  const [page, facets] = await Promise.all([
    listFixes(db(), {
      projectIds: projects,
      question,
      cursor: query.get('cursor'),
      limit: limitParam(query),
    }),
    query.get('cursor') === null ? readFixFacets(db(), projects, question) : null,
  ])
  return json({ ...page, facets })
})
