import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { runText } from '../statement-text'

/** `ended`: what has ended and was not compared since, the newest first. `longest`: whatever is due, what has been due longest first. */
export type DueLane = 'ended' | 'longest'

export type DueRow = RowOf<'parity_standing', 'projectId' | 'executionId'> & {
  trigger: NonNullable<RowOf<'parity_standing', 'due_for'>['due_for']>
  dueAt: NonNullable<RowOf<'parity_standing', 'due_at'>['due_at']>
  /** An analysis is still to come. Null: there is no such execution. */
  dirty: RowOf<'executions', 'dirty'>['dirty'] | null
}

const LANES: Record<DueLane, string> = {
  ended: `due_for = 'terminal' and due_at <= now() order by due_at desc`,
  longest: 'due_at <= now() order by due_at',
}

/** The execution that is to be compared next; null: none is due. */
export async function readNextDue(db: Pick<Db, 'sql'>, lane: DueLane): Promise<DueRow | null> {
  const [row] = await runText<DueRow>(db, {
    text: `select s.project_id as "projectId", s.execution_id as "executionId", s.due_for as trigger, s.due_at as "dueAt", e.dirty
     from (select * from parity_standing where ${LANES[lane]} limit 1) s left join executions e on e.project_id = s.project_id and e.id = s.execution_id`,
    params: [],
  })
  return row ?? null
}
