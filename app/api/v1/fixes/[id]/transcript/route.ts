import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { fileResponse } from '@/app/_server/patch-response'
import { Refusal } from '@/app/_server/respond'
import { readReceivedRange } from '@/db/queries/received'
import { downloadName } from '@/lib/views/fixes/download-name'

/** What the proposer wrote down of its work, as it is kept: redacted, like every record. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/transcript',
  { action: 'read' },
  async ({ request, params, access }) => {
    const about = await fixParam(access, params.id)
    const kept =
      about.transcriptSha256 === null
        ? null
        : await readReceivedRange(db(), [about.projectId], about.transcriptSha256)
    if (kept === null) throw new Refusal('not-found', 'This fix has no transcript.')
    return fileResponse(request, {
      bytes: kept.bytes,
      etag: `"${about.transcriptSha256}"`,
      name: downloadName(about, '.transcript'),
    })
  },
)
