import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import { storable } from '@/lib/formats/storable'
import type { CauseCorrection } from '@/lib/model/cause-correction'
import type { Pointer } from '@/lib/model/execution'
import { recordAudit } from '../audit'
import type { Db, Tx } from '../client'
import { notifyChanged } from '../notify'
import { CAUSE_CALL, readCorrection } from '../queries/cause-corrections'
import { CAUSE_COLUMNS, causeOf } from '../queries/stored-cause'
import type { RowOf } from '../schema/rows'
import { columnsOf, computed, joinLists, runText, type Selected } from '../statement-text'

interface By {
  projectId: string
  executionId: string
  actor: string
  actorName: string
}

export interface CorrectCause extends By {
  /** The failed call that is the cause; null: nothing needs attention. */
  callId: string | null
  reason: string
  /** The cause as the person saw it. */
  judged: { rule: string | null; pointer: Pointer | null }
}

/** Why a correction was not taken: `changed`, the cause is another one now; `corrected`, somebody's correction stands. */
export type CorrectionRefusal =
  | { refused: 'no-cause' | 'changed' | 'no-such-call' | 'not-failed' }
  | { refused: 'corrected'; by: string }

const JUDGED = joinLists(
  columnsOf('executions e', CAUSE_COLUMNS),
  computed<{ call_id: RowOf<'calls', 'call_id'>['call_id'] | null }>(`${CAUSE_CALL} as call_id`),
)

/**
 * Stores what a person says against the cause of an execution. The same said again by the same person changes nothing.
 *
 * @returns `made`: it was stored just now
 */
export const correctCause = (
  db: Pick<Db, 'sql'>,
  given: CorrectCause,
): Promise<{ correction: CauseCorrection; made: boolean } | CorrectionRefusal> =>
  db.sql.begin(async (tx) => {
    const { projectId, executionId, actor, callId } = given
    const [row] = await runText<Selected<typeof JUDGED>>(
      { sql: tx },
      {
        text: `select ${JUDGED.text} from executions e where e.project_id = $1 and e.id = $2`,
        params: [projectId, executionId],
      },
    )
    const cause = row ? causeOf(row) : null
    if (!row || cause === null) return { refused: 'no-cause' }
    const reason = storable(given.reason).trim()
    const before = await readCorrection({ sql: tx }, projectId, { executionId })
    if (before !== null) return againstStanding(tx, before, { actor, callId, reason })
    if (cause.rule !== given.judged.rule || !isDeepStrictEqual(cause.pointer, given.judged.pointer))
      return { refused: 'changed' }
    const refused = callId === null ? null : await refusedCall(tx, given, callId)
    if (refused !== null) return { refused }

    const id = v7()
    const made = await tx`
      insert into cause_corrections (project_id, id, execution_id, cause_rule, cause_text, cause_pointer, cause_call_id, call_id, reason, actor, actor_name)
      values (${projectId}, ${id}, ${executionId}, ${cause.rule}, ${storable(cause.text)}, ${cause.pointer && JSON.stringify(cause.pointer)}::text::jsonb, ${row.call_id},
        ${callId}, ${reason}, ${actor}, ${storable(given.actorName)})
      on conflict (project_id, execution_id) where undone_at is null do nothing returning id`
    // Somebody was first, and has committed by now; one that was undone in between too has its turn with the next request.
    if (made.length === 0) {
      const first = await readCorrection({ sql: tx }, projectId, { executionId })
      return first === null ? { refused: 'changed' } : againstStanding(tx, first, { actor, callId, reason })
    }
    await recordAudit(tx, {
      projectId,
      actor,
      action: 'cause.correct',
      subject: executionId,
      detail: { correction: id, rule: cause.rule, judgedCall: row.call_id, call: callId, reason },
    })
    await notifyChanged(tx, projectId, [executionId])
    return { correction: (await readCorrection({ sql: tx }, projectId, { id }))!, made: true }
  })

async function againstStanding(
  tx: Tx,
  correction: CauseCorrection,
  { actor, callId, reason }: { actor: string; callId: string | null; reason: string },
): Promise<{ correction: CauseCorrection; made: false } | CorrectionRefusal> {
  const [mine] = await tx`select from cause_corrections where id = ${correction.id} and actor = ${actor}`
  return mine && (correction.call?.id ?? null) === callId && correction.reason === reason
    ? { correction, made: false }
    : { refused: 'corrected', by: correction.by }
}

async function refusedCall(
  tx: Tx,
  { projectId, executionId }: By,
  callId: string,
): Promise<'no-such-call' | 'not-failed' | null> {
  const rows = await tx<RowOf<'calls', 'state'>[]>`
    select state from calls where project_id = ${projectId} and execution_id = ${executionId} and call_id = ${callId}`
  if (rows.length === 0) return 'no-such-call'
  return rows.some(({ state }) => state === 'failed') ? null : 'not-failed'
}

/**
 * Ends the correction of an execution that stands, or one that is named; one that was undone before stays as it is.
 *
 * @returns null when there is none
 */
export const undoCorrection = (
  db: Pick<Db, 'sql'>,
  { projectId, executionId, actor, actorName, correctionId }: By & { correctionId: string | null },
): Promise<CauseCorrection | { refused: 'corrected'; by: string } | null> =>
  db.sql.begin(async (tx) => {
    const [undone] = await tx<RowOf<'cause_corrections', 'id'>[]>`
      update cause_corrections set undone_by = ${actor}, undone_by_name = ${storable(actorName)}, undone_at = clock_timestamp()
      where project_id = ${projectId} and execution_id = ${executionId} and undone_at is null
        and (${correctionId}::uuid is null or id = ${correctionId}::uuid) returning id`
    if (undone) {
      await recordAudit(tx, {
        projectId,
        actor,
        action: 'cause.correct-undo',
        subject: executionId,
        detail: { correction: undone.id },
      })
      await notifyChanged(tx, projectId, [executionId])
      return readCorrection({ sql: tx }, projectId, { id: undone.id })
    }
    if (correctionId === null) return null
    const other = await readCorrection({ sql: tx }, projectId, { executionId })
    if (other !== null) return { refused: 'corrected', by: other.by }
    const before = await readCorrection({ sql: tx }, projectId, { id: correctionId })
    return before?.executionId === executionId ? before : null
  })
