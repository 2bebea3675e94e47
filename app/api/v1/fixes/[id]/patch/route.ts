import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam, mayHaveBytes } from '@/app/_server/fix-access'
import { hiddenResponse, patchResponse } from '@/app/_server/patch-response'

/** Exactly the proposed bytes. Who may not have them gets ranges, as a screen asks for them, with what looks like a secret hidden. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>(
  '/api/v1/fixes/{id}/patch',
  { action: 'read' },
  async ({ request, params, access, query }) => {
    const about = await fixParam(access, params.id)
    if (!about.isUnread && (query.has('start') || query.has('end')) && !mayHaveBytes(access, about))
      return hiddenResponse(request, query, about)
    checkBytes(access, about)
    return patchResponse(request, query, about)
  },
)
