import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { disposition, FILE_HEADERS, hasEtag, startedStream } from '@/app/_server/download'
import { Refusal } from '@/app/_server/respond'
import { receivedPieces } from '@/db/queries/received'
import { downloadName } from '@/lib/views/fixes/download-name'
import { fixProblemText } from '@/lib/words/server/fixes'
import { logText } from '@/lib/words/server/log'

/** What the proposer wrote down of its work, as it is kept: redacted, like every record. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/transcript',
  { action: 'read' },
  async ({ request, params, access }) => {
    const about = await fixParam(access, params.id)
    const kept =
      about.transcriptSha256 === null
        ? null
        : await receivedPieces(db(), [about.projectId], about.transcriptSha256)
    if (kept === null) throw new Refusal('not-found', fixProblemText.noTranscript)
    const headers = {
      ...FILE_HEADERS,
      etag: `"${about.transcriptSha256}"`,
      'content-disposition': disposition(downloadName(about, '.transcript')),
    }
    if (hasEtag(request, headers.etag)) return new Response(null, { status: 304, headers })
    return new Response(
      request.method === 'HEAD' ? null : await startedStream(kept.pieces, logText.transcriptDownloadBroke),
      { headers: { ...headers, 'content-length': String(kept.end - kept.start) } },
    )
  },
)
