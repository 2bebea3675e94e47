import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { patchResponse } from '@/app/_server/patch-response'
import { Refusal } from '@/app/_server/respond'
import { readSharedPatch } from '@/app/_server/shared-patch'
import { readPatchAbout } from '@/db/queries/patch-bytes'

/** The proposed bytes, for whoever holds a link that a reviewer made. */
export const GET = defineRoute<{ public: string }, { token: string }>(
  '/api/v1/shared-patches/{token}',
  { public: 'the link itself is signed by this server and ends by itself' },
  async ({ request, params, query }) => {
    const shared = readSharedPatch(params.token)
    if (shared === 'expired')
      throw new Refusal('not-found', 'This link has expired; ask who sent it for another one.')
    const about = shared && (await readPatchAbout(db(), [shared.projectId], shared.fixId))
    if (!about)
      throw new Refusal(
        'not-found',
        'This link opens nothing: it was not made by this server, or it was cut short.',
      )
    const answer = patchResponse(request, query, about)
    // The link ends, and what it opened must not stay behind in a cache.
    answer.headers.set('cache-control', 'private, no-store')
    return answer
  },
)
