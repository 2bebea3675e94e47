import { v7 } from 'uuid'
import type { NewComment } from '@/lib/api/fix-schemas'
import { storable } from '@/lib/formats/storable'
import type { Db, Tx } from '../client'
import { recordAudit } from '../audit'
import { notifyChanged } from '../notify'
import type { RowOf } from '../schema/rows'

export interface CommentFix {
  projectIds: string[]
  fixId: string
  actor: string
  actorName: string
  comment: NewComment
}

export type CommentRefusal = {
  refused: 'not-found' | 'no-thread' | 'no-target' | 'not-mine' | 'empty' | 'other-bytes' | 'no-such-lines'
}

/** Adds what a person says of a fix, or resolves, reopens or withdraws it. @returns our id of the row */
export const commentFix = (
  db: Pick<Db, 'sql'>,
  given: CommentFix,
): Promise<{ id: string } | CommentRefusal> =>
  db.sql.begin(async (tx) => {
    const { fixId, comment, actor, actorName } = given
    const [fix] = await tx<
      (RowOf<'fix_standing', 'project_id' | 'execution_id'> &
        RowOf<'fixes', 'patch_sha256'> & {
          files: number
        })[]
    >`
      select s.project_id, s.execution_id, f.patch_sha256, (s.summary ->> 'files')::int as files from fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id
      where s.project_id = any (${given.projectIds}::uuid[]) and s.fix_id = ${fixId} for update of s`
    if (!fix) return { refused: 'not-found' }
    const refusal = await refusalOf(tx, fix, given)
    if (refusal !== null) return refusal
    const projectId = fix.project_id
    const id = v7()
    const { kind, thread, target, text, file, side, lineStart } = comment
    const place = { file, side, start: lineStart, end: comment.lineEnd ?? lineStart }
    await tx`
      insert into fix_comments (project_id, id, fix_id, thread_id, kind, target_id, actor, actor_name, text, patch_sha256, file, side, line_start, line_end)
      values (${projectId}, ${id}, ${fixId}, ${thread ?? id}, ${kind}, ${target}, ${actor}, ${storable(actorName)}, ${storable(text)}, ${fix.patch_sha256},
        ${place.file}, ${place.side}, ${place.start}, ${place.end})`
    const change = kind === 'comment' ? 1 : kind === 'withdraw' ? -1 : 0
    await tx`update fix_standing set comments = comments + ${change} where project_id = ${projectId} and fix_id = ${fixId}`
    await recordAudit(tx, {
      projectId,
      actor,
      action: `fix.${kind}`,
      subject: fixId,
      detail: { comment: id, thread: thread ?? id, target },
    })
    await notifyChanged(tx, projectId, [fix.execution_id])
    return { id }
  })

async function refusalOf(
  tx: Tx,
  fix: { project_id: string; patch_sha256: string; files: number },
  { fixId, actor, comment }: CommentFix,
): Promise<CommentRefusal | null> {
  const { kind, thread, target, text, file, side, lineStart, lineEnd } = comment
  if (comment.sha256 !== fix.patch_sha256) return { refused: 'other-bytes' }
  if (kind === 'comment' && text.trim() === '') return { refused: 'empty' }
  if (file !== null && file >= fix.files) return { refused: 'no-such-lines' }
  if (
    (lineStart === null) !== (side === null) ||
    (lineStart !== null && file === null) ||
    (lineEnd !== null && (lineStart === null || lineEnd < lineStart))
  )
    return { refused: 'no-such-lines' }
  const rows = await tx<RowOf<'fix_comments', 'id' | 'thread_id' | 'kind' | 'actor' | 'target_id'>[]>`
    select id, thread_id, kind, actor, target_id from fix_comments where project_id = ${fix.project_id} and fix_id = ${fixId} and (thread_id = ${thread} or id = ${target} or target_id = ${target})`
  if (kind !== 'comment' && thread === null) return { refused: 'no-thread' }
  if (thread !== null && !rows.some((row) => row.id === thread)) return { refused: 'no-thread' }
  if (kind !== 'withdraw') return null
  const said = rows.find((row) => row.id === target && row.kind === 'comment' && row.thread_id === thread)
  if (!said || rows.some((row) => row.kind === 'withdraw' && row.target_id === target))
    return { refused: 'no-target' }
  return said.actor === actor ? null : { refused: 'not-mine' }
}
