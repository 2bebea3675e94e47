import { markedValues, withAttempts } from '@/lib/analysis/marks'
import type { Tx } from '../../client'
import { facetDelta } from '../publish/facet-counts'
import type { RowOf } from '../../schema/rows'

export interface MarkRow {
  executionId: string
  mark: string
  sortAt: string
}

/** Takes away what is not as it should be; `addMarks` puts the rest there. */
export async function removeMarks(
  tx: Tx,
  projectId: string,
  id: string,
  marks: string[],
  sortAt: string,
): Promise<void> {
  await tx`
    delete from execution_marks where project_id = ${projectId} and execution_id = ${id} and (mark <> all (${marks}::text[]) or sort_at <> ${sortAt}::timestamptz)`.execute()
}

export async function addMarks(tx: Tx, projectId: string, rows: readonly MarkRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into execution_marks (project_id, execution_id, mark, sort_at)
    select ${projectId}, * from unnest(${rows.map((r) => r.executionId)}::uuid[], ${rows.map((r) => r.mark)}::text[], ${rows.map((r) => r.sortAt)}::timestamptz[])
    on conflict do nothing`.execute()
}

/**
 * Notes how many attempts the retry chain of each of these executions has. An analysis keeps what was noted last. The caller's transaction
 * holds the lock of each execution, as for an analysis, and notifies readers.
 *
 * @param chains `attempts` is the size of the chain, the execution itself included: 1 for one that is in none
 * @returns ids of the executions that a reader would see changed
 */
export async function setAttempts(
  tx: Tx,
  projectId: string,
  chains: readonly { id: string; attempts: number }[],
): Promise<string[]> {
  const attempts = new Map(chains.map((chain) => [chain.id, chain.attempts]))
  const rows = await tx<RowOf<'executions', 'id' | 'marks' | 'sort_at'>[]>`
    select id, marks, sort_at from executions where project_id = ${projectId} and id = any (${[...attempts.keys()]}::uuid[]) order by id for update`
  const changes = rows
    .map((row) => ({ ...row, before: row.marks, marks: withAttempts(row.marks, attempts.get(row.id)!) }))
    .filter(({ before, marks }) => marks.join() !== before.join())
  const ids = changes.map(({ id }) => id)
  if (ids.length === 0) return []
  await tx`
    update executions e set marks = array(select jsonb_array_elements_text(c.marks::jsonb)), version = version + 1, updated_at = now()
    from unnest(${ids}::uuid[], ${changes.map(({ marks }) => JSON.stringify(marks))}::text[]) c(id, marks) where e.project_id = ${projectId} and e.id = c.id`
  await tx`delete from execution_marks where project_id = ${projectId} and execution_id = any (${ids}::uuid[]) and mark like 'attempts:%'`
  await addMarks(
    tx,
    projectId,
    changes.flatMap(({ id, marks, sort_at }) =>
      marks.map((mark) => ({ executionId: id, mark, sortAt: sort_at })),
    ),
  )
  await facetDelta(
    tx,
    projectId,
    changes.flatMap(({ before }) => markedValues(before)),
    changes.flatMap(({ marks }) => markedValues(marks)),
  )
  return ids
}
