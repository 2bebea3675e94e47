import { didKeyOf, parsePublicKey } from '@/lib/judge/receipts/keys'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import type { ReceiptKey } from '@/lib/model/receipt-chain'

/** The keys that were registered, of a chain those that it may begin with: the current ones first, then as they came. */
export async function listReceiptKeys(
  db: Db,
  projectIds: readonly string[],
  chainId?: string,
): Promise<ReceiptKey[]> {
  const rows = await db.sql<
    RowOf<
      'receipt_keys',
      'id' | 'fingerprint' | 'publicKey' | 'label' | 'chainId' | 'isCurrent' | 'addedAt'
    >[]
  >`
    select id, fingerprint, public_key as "publicKey", label, chain_id as "chainId", is_current as "isCurrent", added_at as "addedAt" from receipt_keys
    where project_id = any (${projectIds as string[]}::uuid[]) ${chainId === undefined ? db.sql`` : db.sql`and (chain_id is null or chain_id = ${chainId})`}
    order by chain_id is null, is_current desc, added_at, id limit 1000`
  return rows.map((row) => ({ ...row, publicKey: didKeyOf(parsePublicKey(row.publicKey)!) }))
}
