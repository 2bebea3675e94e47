import { PEER_HEADER } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { patchResponse } from '@/app/_server/patch-response'
import { Refusal } from '@/app/_server/respond'
import { countWrongLink } from '@/app/_server/sign-in-limit'
import { readSharedPatch } from '@/db/queries/fix-links'
import { readPatchAbout } from '@/db/queries/patch-bytes'
import { noteLinkDownload } from '@/db/fixes/fix-links'
import type { FixLink } from '@/lib/api/fix-schemas'
import { hashToken } from '@/lib/auth/tokens'
import { sharedPatchText } from '@/lib/words/server/shared-patches'

const WHY_NOT: Record<Exclude<FixLink['state'], 'open'>, string> = {
  revoked: sharedPatchText.linkRevoked,
  expired: sharedPatchText.linkExpired,
  'fix-closed': sharedPatchText.patchWithdrawn,
  'secret-found': sharedPatchText.linkDisabled,
}

/** The proposed bytes, for the holder of a share link. Each download is counted before its first byte is sent. */
export const GET = defineRoute<{ public: string }, { token: string }>(
  '/api/v1/shared-patches/{token}',
  { public: 'a reviewer made the link, which is random, ends and can be revoked' },
  async ({ request, params, query }) => {
    const shared = await readSharedPatch(db(), hashToken(params.token))
    if (shared === null) {
      countWrongLink(request.headers)
      throw new Refusal('not-found', sharedPatchText.linkInvalid)
    }
    if (shared.state !== 'open') throw new Refusal('not-found', WHY_NOT[shared.state])
    const about = (await readPatchAbout(db(), [shared.projectId], shared.fixId))!
    const answer = patchResponse(request, query, about)
    if (answer.body !== null) {
      const detail = {
        sha256: about.sha256,
        address: request.headers.get(PEER_HEADER),
        range: answer.headers.get('content-range'),
      }
      if (!(await noteLinkDownload(db().sql, shared, detail))) {
        await answer.body.cancel()
        throw new Refusal('not-found', WHY_NOT.revoked)
      }
    }
    // The link ends, and what it opened must not stay behind in a cache; nor must its address go to another site.
    answer.headers.set('cache-control', 'private, no-store')
    answer.headers.set('referrer-policy', 'no-referrer')
    return answer
  },
)
