import type { CheckTrigger } from '@/lib/parity/stored-check'
import type { Db } from '../client'

/** `ended`: what has ended and was not compared since, the newest first. `longest`: whatever is due, what has been due longest first. */
export type DueLane = 'ended' | 'longest'

export interface DueRow {
  projectId: string
  executionId: string
  trigger: CheckTrigger
  dueAt: string
  /** An analysis is still to come. Null: there is no such execution. */
  dirty: boolean | null
}

const LANES: Record<DueLane, string> = {
  ended: `due_for = 'terminal' and due_at <= now() order by due_at desc`,
  longest: 'due_at <= now() order by due_at',
}

/** The execution that is to be compared next; null: none is due. */
export async function readNextDue(db: Pick<Db, 'sql'>, lane: DueLane): Promise<DueRow | null> {
  const [row] = (await db.sql.unsafe(
    `select s.project_id as "projectId", s.execution_id as "executionId", s.due_for as trigger, s.due_at as "dueAt", e.dirty
     from (select * from parity_standing where ${LANES[lane]} limit 1) s left join executions e on e.project_id = s.project_id and e.id = s.execution_id`,
    [],
    { prepare: db.sql.options.prepare },
  )) as unknown as DueRow[]
  return row ?? null
}
