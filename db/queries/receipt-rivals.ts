import type { ReceiptConflict } from '@/lib/api/ingest-schemas'
import type { Tx } from '../client'
import type { RowOf } from '../schema/rows'

/** Conflicts that an answer lists. */
const LISTED_MAX = 100

/**
 * Receipts that are against one of these: another receipt under the same id, or another for the same place of a chain. All of them are kept.
 * The place says no more than the number, and is what the index has: without it each receipt is held against its whole chain.
 */
export async function listRivals(
  tx: Tx,
  projectId: string,
  streamIds: readonly string[],
): Promise<ReceiptConflict[]> {
  if (streamIds.length === 0) return []
  return tx<
    (RowOf<'receipts', 'chainId' | 'sequence'> & {
      id: RowOf<'receipts', 'receipt_id'>['receipt_id']
    } & Pick<ReceiptConflict, 'with' | 'over'>)[]
  >`
    select r.receipt_id as id, r.chain_id as "chainId", r.sequence, o.receipt_id as "with",
      case when o.receipt_id = r.receipt_id then 'id' else 'place' end as over
    from unnest(${[...streamIds]}::uuid[]) n(id) join receipts r on r.project_id = ${projectId} and r.stream_id = n.id
    cross join lateral (
      select o.stream_id, o.receipt_id from receipts o where o.project_id = ${projectId} and o.receipt_id = r.receipt_id and o.stream_id <> r.stream_id
      union
      select o.stream_id, o.receipt_id from receipts o
      where o.project_id = ${projectId} and o.chain_id = r.chain_id and o.place = r.place and o.sequence = r.sequence and o.stream_id <> r.stream_id) o
    order by r.chain_id, r.sequence, r.stream_id, o.stream_id limit ${LISTED_MAX}`
}
