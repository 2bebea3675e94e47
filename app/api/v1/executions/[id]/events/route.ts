import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { executionParam } from '@/app/_server/execution-access'
import { limitParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { listEvents } from '@/db/queries/events'
import { parseAt } from '@/lib/links'

/** Events in order; `?around=sha256:start-end` begins a little before the record that holds this place. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/executions/{id}/events',
  { action: 'read' },
  async ({ params, access, query }) => {
    const limit = limitParam(query)
    const place = query.get('around')
    const around = parseAt(place)
    if (place !== null && around === null) throw new Refusal('bad-request', 'around: <sha256>:<start>-<end>')
    return json(
      await listEvents(db(), {
        ...(await executionParam(access, params.id)),
        cursor: query.get('cursor'),
        limit,
        around,
      }),
    )
  },
)
