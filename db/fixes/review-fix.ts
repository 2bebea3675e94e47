import { v7 } from 'uuid'
import type { NewReview } from '@/lib/api/fix-schemas'
import { isFixState, mayBecome } from '@/lib/model/fix-states'
import { storable, storableDeep } from '@/lib/formats/storable'
import type { Db, Tx } from '../client'
import { ownsKey } from '../queries/fix'
import { enqueueFits } from '../queue/enqueue'
import { recordAudit } from '../audit'
import { notifyChanged } from '../notify'
import type { RowOf } from '../schema/rows'

export interface ReviewFix {
  /** Projects in which the reviewer may decide. */
  projectIds: string[]
  fixId: string
  actor: string
  actorName: string
  review: NewReview
}

/** Why a review was not taken; `stale` when somebody changed the fix, or its bytes are others than those that were judged. */
export type ReviewRefusal =
  | { refused: 'not-found' | 'own' | 'expired' | 'reason-missing' | 'report-missing' | 'report-misplaced' }
  | { refused: 'stale'; state: string; version: number; by: string | null }
  | { refused: 'not-allowed'; state: string }
  | { refused: 'blocked' | 'not-acknowledged'; codes: string[] }

type Standing = RowOf<'fix_standing', 'project_id' | 'execution_id' | 'state' | 'version'> &
  RowOf<'fixes', 'patch_sha256' | 'proposed_by'> & {
    expired: boolean
    blocking: string[]
    signals: { code: string; weight: string }[]
    has_mirror: boolean
  }

/** Takes a person's decision on a fix. It names the state and the bytes that the person has seen, and holds for no others. @returns the new version */
export const reviewFix = (
  db: Pick<Db, 'sql'>,
  given: ReviewFix,
): Promise<{ version: number } | ReviewRefusal> =>
  db.sql.begin(async (tx) => {
    const { fixId, review, actor, actorName } = given
    const [fix] = await tx<Standing[]>`
      select s.project_id, s.execution_id, s.state, s.version, coalesce(s.expires_at <= now(), false) as expired, f.patch_sha256, f.proposed_by,
        s.summary -> 'blocking' as blocking, s.summary -> 'signals' as signals,
        exists (select from mirrors m where m.project_id = f.project_id and m.repository = coalesce(f.proposal -> 'base' ->> 'repository', '')) as has_mirror
      from fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id
      where s.project_id = any (${given.projectIds}::uuid[]) and s.fix_id = ${fixId} for update of s`
    if (!fix) return { refused: 'not-found' }
    const refusal = await refusalOf(tx, fix, given)
    if (refusal !== null) {
      if (refusal.refused === 'stale') await noteLate(tx, fix, given)
      return refusal
    }
    const projectId = fix.project_id
    const version = fix.version + 1
    const [stored] = await tx<RowOf<'fix_reviews', 'ownsKey'>[]>`
      insert into fix_reviews (project_id, fix_id, version, id, actor, actor_name, from_state, to_state, patch_sha256, comment, acknowledged, applied, owns_key)
      values (${projectId}, ${fixId}, ${version}, ${v7()}, ${actor}, ${storable(actorName)}, ${fix.state}, ${review.to}, ${fix.patch_sha256}, ${storable(review.comment)},
        ${review.acknowledged.map(storable)}, ${review.applied ? JSON.stringify(storableDeep(review.applied)) : null}::text::jsonb, ${ownsKey(tx, { projectId, keyActor: fix.proposed_by, personActor: actor })}) returning owns_key as "ownsKey"`
    await tx`update fix_standing set state = ${review.to}, version = ${version}, changed_at = clock_timestamp() where project_id = ${projectId} and fix_id = ${fixId}`
    const detail = {
      from: fix.state,
      to: review.to,
      sha256: fix.patch_sha256,
      comment: review.comment,
      acknowledged: review.acknowledged,
      applied: review.applied ?? null,
      ...(stored!.ownsKey && { ownsKey: true }),
    }
    await recordAudit(tx, { projectId, actor, action: 'fix.review', subject: fixId, detail })
    // Where a mirror stands for the repository, it is looked for what was reported.
    if (review.to === 'applied' && fix.has_mirror) await enqueueFits(tx, projectId, [fixId])
    await notifyChanged(tx, projectId, [fix.execution_id])
    return { version }
  })

async function refusalOf(
  tx: Tx,
  fix: Standing,
  { fixId, actor, review }: ReviewFix,
): Promise<ReviewRefusal | null> {
  if (fix.version !== review.version || fix.patch_sha256 !== review.sha256) {
    const [last] = await tx<
      RowOf<'fix_reviews', 'actor_name'>[]
    >`select actor_name from fix_reviews where project_id = ${fix.project_id} and fix_id = ${fixId} order by version desc limit 1`
    return { refused: 'stale', state: fix.state, version: fix.version, by: last?.actor_name ?? null }
  }
  if (fix.expired) return { refused: 'expired' }
  if (!isFixState(fix.state) || !mayBecome(fix.state, review.to))
    return { refused: 'not-allowed', state: fix.state }
  // What a person did, and how, is the reason of a report.
  if (review.to === 'applied') return review.applied === undefined ? { refused: 'report-missing' } : null
  if (review.applied !== undefined) return { refused: 'report-misplaced' }
  if (review.to !== 'approved') return hasReason(review) ? null : { refused: 'reason-missing' }
  if (fix.proposed_by === actor) return { refused: 'own' }
  if (fix.blocking.length > 0) return { refused: 'blocked', codes: fix.blocking }
  const left = fix.signals
    .filter(({ code, weight }) => weight === 'high' && !review.acknowledged.includes(code))
    .map(({ code }) => code)
  if (left.length > 0) return { refused: 'not-acknowledged', codes: left }
  return hasReason(review) ? null : { refused: 'reason-missing' }
}

const hasReason = ({ comment }: NewReview): boolean => comment.trim() !== ''

/** Who decided first hears that somebody else tried to. What the late one wrote is not kept. */
async function noteLate(
  tx: Tx,
  fix: Standing,
  { fixId, actor, actorName, review }: ReviewFix,
): Promise<void> {
  const { project_id: projectId, execution_id: executionId, version, patch_sha256: sha256 } = fix
  if (review.version < 1 || review.version >= version || review.sha256 !== sha256) return
  const noted = await tx`
    insert into fix_late_reviews (project_id, fix_id, actor, to_state, seen_version, actor_name)
    values (${projectId}, ${fixId}, ${actor}, ${review.to}, ${review.version}, ${storable(actorName)}) on conflict do nothing returning fix_id`
  if (noted.length === 0) return
  await recordAudit(tx, {
    projectId,
    actor,
    action: 'fix.review-late',
    subject: fixId,
    detail: { to: review.to, seenVersion: review.version, version, state: fix.state, sha256 },
  })
  await notifyChanged(tx, projectId, [executionId])
}
