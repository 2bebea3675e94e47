import { actorOf } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { publicUrl } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam } from '@/app/_server/fix-access'
import { json } from '@/app/_server/respond'
import { sharedPatchToken } from '@/app/_server/shared-patch'
import { recordAudit } from '@/db/writes/audit'
import { newFixLink } from '@/lib/api/fix-schemas'
import { links } from '@/lib/links'

const HOUR_S = 3_600

/** Makes a link by which somebody without an account downloads the patch, until it expires. */
export const POST = defineRoute<{ action: 'review-fix' }, { id: string }>(
  '/api/v1/fixes/{id}/links',
  { action: 'review-fix' },
  async ({ request, params, access }) => {
    const about = await fixParam(access, params.id)
    checkBytes(access, about)
    const { hours } = await readJson(request, newFixLink)
    const expires = Math.floor(Date.now() / 1000) + hours * HOUR_S
    const expiresAt = new Date(expires * 1000).toISOString()
    await db().sql.begin((tx) =>
      recordAudit(tx, {
        projectId: about.projectId,
        actor: actorOf(access),
        action: 'fix.share',
        subject: about.id,
        detail: { expiresAt, sha256: about.sha256 },
      }),
    )
    return json(
      {
        url:
          publicUrl() +
          links.sharedPatch(sharedPatchToken({ projectId: about.projectId, fixId: about.id, expires })),
        expiresAt,
      },
      { status: 201 },
    )
  },
)
