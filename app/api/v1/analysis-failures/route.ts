import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json } from '@/app/_server/respond'
import { listAnalysisFailures } from '@/db/queries/analysis-failures'

/** Executions whose last analysis failed. */
export const GET = defineRoute('/api/v1/analysis-failures', { action: 'read' }, async ({ access, query }) =>
  json(await listAnalysisFailures(db().sql, projectIds(access, query.get('project')))),
)
