import type { ChainGap } from '@/lib/judge/receipts/silence'
import type { Tx } from '../../client'
import type { RowOf } from '../../schema/rows'

/** Behind all numbers stand the receipts that have none. */
const NO_NUMBER = '9223372036854775807'

/** Where numbers are missing right before or behind a receipt of the execution: what is not there may be its own, or that of its neighbour. */
export async function readGaps(tx: Tx, projectId: string, executionId: string): Promise<ChainGap[]> {
  const rows = await tx<
    (RowOf<'receipts', 'chain_id'> & {
      after: number
      before: number
      after_id: RowOf<'receipts', 'receipt_id'>['receipt_id']
      before_id: RowOf<'receipts', 'receipt_id'>['receipt_id']
    })[]
  >`
    with own as (
      select distinct chain_id, place from receipts where project_id = ${projectId} and execution_id = ${executionId} and sequence is not null),
    gaps as (
      select o.chain_id, n.place as after, o.place as before from own o cross join lateral (
        select place from receipts where project_id = ${projectId} and chain_id = o.chain_id and place < o.place order by place desc limit 1) n
      union
      select o.chain_id, o.place, n.place from own o cross join lateral (
        select place from receipts where project_id = ${projectId} and chain_id = o.chain_id and place > o.place and place < ${NO_NUMBER}::bigint order by place limit 1) n)
    select g.chain_id, g.after, g.before, a.id as after_id, b.id as before_id from gaps g
    cross join lateral (select min(receipt_id) as id from receipts where project_id = ${projectId} and chain_id = g.chain_id and place = g.after) a
    cross join lateral (select min(receipt_id) as id from receipts where project_id = ${projectId} and chain_id = g.chain_id and place = g.before) b
    where g.before - g.after > 1 order by g.chain_id, g.after`
  return rows.map((row) => ({
    chainId: row.chain_id,
    after: { id: row.after_id, sequence: row.after },
    before: { id: row.before_id, sequence: row.before },
  }))
}
