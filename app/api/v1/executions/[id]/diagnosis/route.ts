import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { json, Refusal } from '@/app/_server/respond'
import { readRunDiagnosis } from '@/db/queries/run-diagnosis'

/** What became of the diagnoses of the agents that failed in a run. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/diagnosis',
  { action: 'read' },
  async ({ params, access }) => {
    const { projectIds, id } = await executionParam(access, params.id)
    const diagnosis = await readRunDiagnosis(db(), projectIds, id)
    if (diagnosis === null) throw new Refusal('not-found')
    return json(diagnosis)
  },
)
