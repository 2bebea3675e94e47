import { defineRoute } from '@/app/_server/define-route'
import { fixParam } from '@/app/_server/fix-access'
import { fileResponse, fixFileName } from '@/app/_server/patch-response'

/** The digest as `sha256sum --check` reads it, for the name under which the patch is downloaded. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ request, params, access }) => {
  const about = await fixParam(access, params.id)
  const bytes = `${about.sha256}  ${fixFileName(about)}\n`
  return fileResponse(request, { bytes, etag: `"${about.sha256}-sha256"`, name: fixFileName(about, '.patch.sha256'), type: 'text/plain; charset=utf-8' })
})
