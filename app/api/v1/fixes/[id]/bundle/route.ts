import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam } from '@/app/_server/fix-access'
import { fixBundle } from '@/app/_server/fix-bundle'
import { provenanceJson } from '@/app/_server/fix-provenance'
import { CHANGING_FILE_HEADERS, disposition, streamed } from '@/app/_server/download'
import { patchChunks } from '@/app/_server/patch-response'
import { receivedPieces } from '@/db/queries/received'
import { downloadName } from '@/lib/views/fixes/download-name'
import { logText } from '@/lib/words/server/log'

/** Patch, transcript, provenance and digests as one archive. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/bundle',
  { action: 'read' },
  async ({ request, params, access }) => {
    const about = await fixParam(access, params.id)
    checkBytes(access, about)
    const [provenance, transcript] = await Promise.all([
      provenanceJson(access, about, true),
      about.transcriptSha256 === null
        ? null
        : receivedPieces(db(), [about.projectId], about.transcriptSha256),
    ])
    const parts = [
      { name: downloadName(about), pieces: patchChunks(about, 0, about.size, true) },
      ...(transcript === null ? [] : [{ name: 'transcript', pieces: transcript.pieces }]),
      { name: 'provenance.json', pieces: provenance },
    ]
    const headers = {
      ...CHANGING_FILE_HEADERS,
      'content-type': 'application/zip',
      'content-disposition': disposition(downloadName(about, '.zip')),
    }
    return new Response(request.method === 'HEAD' ? null : streamed(fixBundle(parts), logText.bundleBroke), {
      headers,
    })
  },
)
