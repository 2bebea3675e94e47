import type { Tx } from '../../client'
import type { RowOf } from '../../schema/rows'

/** Behind all numbers stand the receipts that have none. */
const NO_NUMBER = '9223372036854775807'

/**
 * Executions with a receipt beside one of these across missing numbers, or across what was missing until now: what is known of their gaps has
 * changed. A receipt that comes behind all others of its chain without a gap tells nothing of them.
 */
export async function listBeside(tx: Tx, projectId: string, streamIds: readonly string[]): Promise<string[]> {
  if (streamIds.length === 0) return []
  // Materialized: planned as one, the neighbours are looked for again for each pair of receipts, which took minutes for a few hundred.
  const rows = await tx<
    {
      id: RowOf<'receipts', 'execution_id'>['execution_id']
    }[]
  >`
    with came as materialized (
      select distinct r.chain_id, r.place from unnest(${[...streamIds]}::uuid[]) s(id)
      join receipts r on r.project_id = ${projectId} and r.stream_id = s.id and r.sequence is not null),
    sides as materialized (
      select c.chain_id, c.place, (select max(place) from receipts where project_id = ${projectId} and chain_id = c.chain_id and place < c.place) as below,
        (select min(place) from receipts where project_id = ${projectId} and chain_id = c.chain_id and place > c.place and place < ${NO_NUMBER}::bigint) as above
      from came c),
    beside as materialized (
      select chain_id, below as place from sides where above is not null or below < place - 1 union select chain_id, above from sides)
    select distinct b.execution_id as id from beside n join receipts b on b.project_id = ${projectId} and b.chain_id = n.chain_id and b.place = n.place`
  return rows.map(({ id }) => id)
}
