import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam } from '@/app/_server/fix-access'
import { patchResponse } from '@/app/_server/patch-response'

/** Exactly the proposed bytes. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ request, params, access, query }) => {
  const about = await fixParam(access, params.id)
  checkBytes(access, about)
  return patchResponse(request, query, about)
})
