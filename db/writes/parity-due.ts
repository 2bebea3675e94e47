import type { CheckTrigger } from '@/lib/parity/stored-check'
import type { Tx } from '../client'

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
 * Notes that executions have changed, so that their layers are to be compared. One that changes again before its turn is put off: it is compared once.
 * Sent at once, like `lockNames`.
 */
export async function noteParityDue(tx: Tx, projectId: string, changed: readonly { id: string; outcome: string }[]): Promise<void> {
  if (changed.length === 0) return
  // In one order, so that two transactions wait for each other instead of for ever.
  const rows = [...new Map(changed.map(({ id, outcome }) => [id, OPEN_OUTCOMES.includes(outcome) ? OPEN : ENDED]))].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx`
    insert into parity_standing (project_id, execution_id, due_at, due_for)
    select ${projectId}, id, now() + make_interval(secs => seconds), due_for
    from unnest(${rows.map(([id]) => id)}::uuid[], ${rows.map(([, { seconds }]) => seconds)}::int[], ${rows.map(([, { dueFor }]) => dueFor)}::text[]) c(id, seconds, due_for)
    on conflict (project_id, execution_id) do update set due_at = excluded.due_at, due_for = excluded.due_for`.execute()
}

/** Takes away what was found of an execution that is no more. */
export async function forgetParity(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx`delete from parity_standing where project_id = ${projectId} and execution_id = ${id}`
  await tx`delete from parity_places where project_id = ${projectId} and execution_id = ${id}`
  await tx`delete from parity_checks where project_id = ${projectId} and execution_id = ${id}`
}
