import type { Sql, Tx } from '../../client'

/** Notes that patches lie with these runs, to be proposed as fixes once the transaction is committed (`handOverPatches`). Sent at once, like `lockNames`. */
export async function notePatches(tx: Tx, projectId: string, executionIds: readonly string[]): Promise<void> {
  if (executionIds.length === 0) return
  // In one order, so that two transactions wait for each other instead of for ever.
  await tx`
    insert into patch_handovers (project_id, execution_id) select ${projectId}, id from unnest(${[...new Set(executionIds)].sort()}::uuid[]) u(id)
    on conflict (project_id, execution_id) do update set changes = patch_handovers.changes + 1`.execute()
}

/** Notes all runs that have patches, of one project or of all. */
export async function noteAllPatches(sql: Sql, projectId?: string): Promise<void> {
  await sql`
    insert into patch_handovers (project_id, execution_id)
    select project_id, id from executions where jsonb_array_length(pipeline -> 'patches') > 0 ${projectId === undefined ? sql`` : sql`and project_id = ${projectId}`} order by id
    on conflict (project_id, execution_id) do update set changes = patch_handovers.changes + 1`
}
