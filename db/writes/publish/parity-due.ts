import type { CheckTrigger } from '@/lib/judge/parity/stored-check'
import type { Tx } from '../../client'

/** Seconds after which the layers of an execution that has ended are compared, when nothing more comes for it; and of one that has not. */
const ENDED = { seconds: 5, dueFor: 'terminal' } satisfies Due
const OPEN = { seconds: 600, dueFor: 'sweep' } satisfies Due

interface Due {
  seconds: number
  dueFor: CheckTrigger
}

/** Outcomes after which more is expected. */
const OPEN_OUTCOMES = ['running', 'unknown']

/**
 * Notes that executions have changed, so that their layers are to be compared. One that changes again before its turn is put off: it is compared once. The run that
 * called a run of a workflow engine is due with it: what that one kept may be lost there. Sent at once, like `lockNames`.
 */
export async function noteParityDue(
  tx: Tx,
  projectId: string,
  changed: readonly { id: string; outcome: string; parentId: string | null }[],
): Promise<void> {
  if (changed.length === 0) return
  const rows = new Map(changed.map(({ id, outcome }) => [id, OPEN_OUTCOMES.includes(outcome) ? OPEN : ENDED]))
  const parents = [
    ...new Set(
      changed.flatMap(({ parentId }) => (parentId === null || rows.has(parentId) ? [] : [parentId])),
    ),
  ]
  const callers = tx`
    union all
    select e.id, case when e.outcome = any (${OPEN_OUTCOMES}::text[]) then ${OPEN.seconds}::int else ${ENDED.seconds}::int end,
      case when e.outcome = any (${OPEN_OUTCOMES}::text[]) then ${OPEN.dueFor} else ${ENDED.dueFor} end
    from executions e join sources s on s.project_id = e.project_id and s.id = e.source_id
    where e.project_id = ${projectId} and e.id = any (${parents}::uuid[]) and s.kind = 'noetl'`
  // In one order, so that two transactions wait for each other instead of for ever.
  await tx`
    insert into parity_standing (project_id, execution_id, due_at, due_for)
    select ${projectId}, id, now() + make_interval(secs => seconds), due_for from (
      select * from unnest(${[...rows.keys()]}::uuid[], ${[...rows.values()].map(({ seconds }) => seconds)}::int[], ${[...rows.values()].map(({ dueFor }) => dueFor)}::text[]) c(id, seconds, due_for)
      ${parents.length === 0 ? tx`` : callers}) c
    order by id
    on conflict (project_id, execution_id) do update set due_at = excluded.due_at, due_for = excluded.due_for`.execute()
}

/** Takes away what was found of an execution that is no more. */
export async function forgetParity(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx`delete from parity_standing where project_id = ${projectId} and execution_id = ${id}`
  await tx`delete from parity_places where project_id = ${projectId} and execution_id = ${id}`
  await tx`delete from parity_checks where project_id = ${projectId} and execution_id = ${id}`
}
