import type { FixLink } from '@/lib/api/fix-schemas'
import { CLOSED_STATES } from '@/lib/model/fix-states'
import { storable } from '@/lib/formats/storable'
import { limits } from '@/lib/limits'
import type { Sql } from '../client'
import { readFixLink, type SharedPatch } from '../queries/fix-links'
import { recordAudit } from '../audit'
import type { RowOf } from '../schema/rows'

interface Maker {
  actor: string
  actorName: string
}

export interface NewFixLink extends Maker {
  id: string
  projectId: string
  fixId: string
  /** `hashToken` of its token. */
  tokenHash: string
  hours: number
  acknowledgeSecret: boolean
}

/** Why no link was made: the fix is closed, or its secret needs another request. */
export type LinkRefusal = { refused: 'closed'; state: string } | { refused: 'secret' | 'secret-hours' }

/** Makes a share link of a patch that is on offer. The fix is locked: a rejection at the same moment comes before or after. */
export const makeFixLink = (sql: Sql, given: NewFixLink): Promise<FixLink | LinkRefusal> =>
  sql.begin(async (tx) => {
    const { id, projectId, fixId, actor, hours } = given
    const [fix] = await tx<
      (RowOf<'fix_standing', 'state'> & {
        sha256: RowOf<'fixes', 'patch_sha256'>['patch_sha256']
        expired: boolean
        holdsSecret: boolean
      })[]
    >`
      select s.state, coalesce(s.expires_at <= now(), false) as expired, f.patch_sha256 as sha256, (s.secrets is null or s.summary -> 'warnings' ? 'content-secret') as "holdsSecret"
      from fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id
      where s.project_id = ${projectId} and s.fix_id = ${fixId} for share of s`
    if (fix!.expired || (CLOSED_STATES as readonly string[]).includes(fix!.state))
      return { refused: 'closed', state: fix!.expired ? 'expired' : fix!.state }
    const { holdsSecret, sha256 } = fix!
    if (holdsSecret && !given.acknowledgeSecret) return { refused: 'secret' }
    if (holdsSecret && hours > limits.shareLinkSecretHoursMax) return { refused: 'secret-hours' }
    await tx`
      insert into fix_links (project_id, id, fix_id, token_hash, actor, actor_name, expires_at, secret_acknowledged)
      values (${projectId}, ${id}, ${fixId}, ${given.tokenHash}, ${actor}, ${storable(given.actorName)}, now() + make_interval(hours => ${hours}), ${given.acknowledgeSecret})`
    const link = (await readFixLink(tx, { projectId, fixId, linkId: id }))!
    const detail = { link: id, expiresAt: link.expiresAt, sha256, holdsSecret }
    await recordAudit(tx, { projectId, actor, action: 'fix.share', subject: fixId, detail })
    return link
  })

/** Ends a share link; one that was revoked before stays as it is. @returns null when the fix has none of this id */
export const revokeFixLink = (
  sql: Sql,
  {
    projectId,
    fixId,
    linkId,
    actor,
    actorName,
  }: Maker & { projectId: string; fixId: string; linkId: string },
): Promise<FixLink | null> =>
  sql.begin(async (tx) => {
    const revoked = await tx`
      update fix_links set revoked_by = ${actor}, revoked_by_name = ${storable(actorName)}, revoked_at = clock_timestamp()
      where project_id = ${projectId} and fix_id = ${fixId} and id = ${linkId} and revoked_at is null`
    if (revoked.count > 0)
      await recordAudit(tx, {
        projectId,
        actor,
        action: 'fix.share-revoke',
        subject: fixId,
        detail: { link: linkId },
      })
    return readFixLink(tx, { projectId, fixId, linkId })
  })

/** Counts a download and notes it in the audit log. @returns false when the link was revoked meanwhile */
export const noteLinkDownload = (
  sql: Sql,
  { projectId, fixId, linkId }: SharedPatch,
  detail: { sha256: string; address: string | null; range: string | null },
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const counted = await tx`
      update fix_links set downloads = downloads + 1, last_download_at = clock_timestamp()
      where project_id = ${projectId} and id = ${linkId} and revoked_at is null and expires_at > now()`
    if (counted.count === 0) return false
    await recordAudit(tx, {
      projectId,
      actor: `link:${linkId}`,
      action: 'fix.share-download',
      subject: fixId,
      detail,
    })
    return true
  })
