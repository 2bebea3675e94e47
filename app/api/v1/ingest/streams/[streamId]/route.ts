import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { textHeader } from '@/app/_server/ingest-headers'
import { json, Refusal } from '@/app/_server/respond'
import { readStreamStanding } from '@/db/queries/streams'
import { requestText } from '@/lib/words/server/requests'

/** How far a stream was received: where to go on, and digests of the original parts to compare with. */
export const GET = defineRoute<{ action: 'ingest' }, { streamId: string }>(
  '/api/v1/ingest/streams/{streamId}',
  { action: 'ingest' },
  async ({ request, params, access, query }) => {
    const standing = await readStreamStanding(
      db(),
      projectIds(access, query.get('project')),
      params.streamId,
      textHeader(request, 'inquest-source', 120),
    )
    if (!standing) throw new Refusal('not-found', requestText.noStreamData)
    return json(standing)
  },
)
