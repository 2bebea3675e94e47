import { createHash } from 'node:crypto'
import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { fileResponse } from '@/app/_server/download'
import { downloadName } from '@/lib/views/fixes/download-name'

/** The digest as `sha256sum --check` reads it, for the name under which the patch is downloaded. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/patch.sha256',
  { action: 'read' },
  async ({ request, params, access }) => {
    const about = await fixParam(access, params.id)
    const bytes = `${about.sha256}  ${downloadName(about)}\n`
    return fileResponse(request, {
      bytes,
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      name: downloadName(about, '.patch.sha256'),
      type: 'text/plain; charset=utf-8',
    })
  },
)
