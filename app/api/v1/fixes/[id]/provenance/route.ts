import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam } from '@/app/_server/fix-access'
import { provenanceJson } from '@/app/_server/fix-provenance'
import { CHANGING_FILE_HEADERS, disposition, streamed } from '@/app/_server/download'
import { Refusal } from '@/app/_server/respond'
import { downloadName } from '@/lib/views/fixes/download-name'
import { logText } from '@/lib/words/server/log'

/** The origin of a fix and its result, so that each check can be repeated without this server. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/provenance',
  { action: 'read' },
  async ({ request, params, query, access }) => {
    const bytes = query.get('bytes')
    if (bytes !== null && bytes !== 'none') throw new Refusal('bad-request', 'bytes: must be `none`.')
    const about = await fixParam(access, params.id)
    if (bytes === null) checkBytes(access, about)
    const headers = {
      ...CHANGING_FILE_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': disposition(downloadName(about, '.provenance.json')),
    }
    if (request.method === 'HEAD') return new Response(null, { headers })
    return new Response(
      streamed(await provenanceJson(access, about, bytes === null), logText.provenanceExportBroke),
      { headers },
    )
  },
)
