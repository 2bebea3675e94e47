import type { Db } from '@/db/client'
import { analyseExecutions } from '@/db/writes/derive/analyse'
import { renewVerdict } from '@/db/writes/derive/chain-verdicts'

/** The stored verdict on a receipt chain. */
export interface StoredChainVerdict {
  chainId: string
  state: string
  reason: string | null
  badSequence: number | null
  badReceiptId: string | null
  receipts: number
}

/**
 * Does what the background jobs do once receipts have come: verifies each chain, then analyses what that
 * changes.
 */
export async function verifyStoredChains(db: Db, projectId: string): Promise<StoredChainVerdict[]> {
  const { sql } = db
  const chains = await sql<
    { id: string }[]
  >`select distinct chain_id as id from receipts where project_id = ${projectId} order by 1`
  for (const { id } of chains) await renewVerdict(db, projectId, id)
  const changed = await sql<
    { id: string }[]
  >`select id from executions where project_id = ${projectId} and dirty`
  if (changed.length > 0)
    await analyseExecutions(
      db,
      changed.map(({ id }) => id),
    )
  return [
    ...(await sql<StoredChainVerdict[]>`
    select chain_id as "chainId", state, reason, bad_sequence as "badSequence", bad_receipt_id as
      "badReceiptId", receipts
    from chain_verdicts where project_id = ${projectId}`),
  ]
}
