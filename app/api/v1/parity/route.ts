import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { parityParam } from '@/app/_server/parity-question'
import { json } from '@/app/_server/respond'
import { readParityOverview } from '@/db/queries/parity'
import { failedControls } from '@/lib/judge/parity/controls'

export const GET = defineRoute('/api/v1/parity', { action: 'read' }, async ({ access, query }) =>
  json({
    ...(await readParityOverview(db(), {
      projectIds: projectIds(access, query.get('project')),
      ...parityParam(query),
    })),
    failedControls: failedControls(),
  }),
)
