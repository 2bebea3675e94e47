import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixReader } from '@/app/_server/fix-access'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { readFix } from '@/db/queries/fix'

export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}',
  { action: 'read' },
  async ({ params, access }) => {
    const fix = await readFix(db(), {
      projectIds: projectIds(access),
      id: uuidParam(params.id),
      reader: fixReader(access),
    })
    if (fix === null) throw new Refusal('not-found')
    return json(fix)
  },
)
