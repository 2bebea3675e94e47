import { v7 } from 'uuid'
import type { PublicKey } from '@/lib/judge/receipts/keys'
import { didKeyOf } from '@/lib/judge/receipts/keys'
import type { Db, Tx } from '../client'
import { enqueueVerdicts } from '../queue/enqueue'
import { recordAudit } from '../audit'
import type { RowOf } from '../schema/rows'

export interface AddReceiptKey {
  projectId: string
  key: PublicKey
  label: string
  chainId: string | null
  isCurrent: boolean
  addedBy: string | null
  actor: string
}

/** Registers a key by which receipts are verified; one that is there already takes the new label. @returns our id of it */
export const addReceiptKey = (
  db: Pick<Db, 'sql'>,
  { projectId, key, label, chainId, isCurrent, addedBy, actor }: AddReceiptKey,
): Promise<string> =>
  db.sql.begin(async (tx) => {
    const [row] = await tx<RowOf<'receipt_keys', 'id'>[]>`
      insert into receipt_keys (project_id, id, fingerprint, public_key, label, chain_id, is_current, added_by)
      values (${projectId}, ${v7()}, ${key.fingerprint}, ${didKeyOf(key)}, ${label}, ${chainId}, ${isCurrent}, ${addedBy})
      on conflict (project_id, fingerprint, coalesce(chain_id, '')) do update set label = excluded.label, is_current = excluded.is_current returning id`
    await recordAudit(tx, {
      projectId,
      actor,
      action: 'receipt-key.add',
      subject: row!.id,
      detail: { fingerprint: key.fingerprint, label, chainId },
    })
    await enqueueVerdicts(tx, projectId, await chainsOf(tx, projectId, chainId))
    return row!.id
  })

/** @returns false when none of the projects has it */
export const removeReceiptKey = (
  db: Pick<Db, 'sql'>,
  { id, projectIds, actor }: { id: string; projectIds: readonly string[]; actor: string },
): Promise<boolean> =>
  db.sql.begin(async (tx) => {
    const [gone] = await tx<RowOf<'receipt_keys', 'project_id' | 'fingerprint' | 'label' | 'chain_id'>[]>`
      delete from receipt_keys where id = ${id} and project_id = any (${projectIds as string[]}::uuid[]) returning project_id, fingerprint, label, chain_id`
    if (!gone) return false
    await recordAudit(tx, {
      projectId: gone.project_id,
      actor,
      action: 'receipt-key.remove',
      subject: id,
      detail: { fingerprint: gone.fingerprint, label: gone.label },
    })
    await enqueueVerdicts(tx, gone.project_id, await chainsOf(tx, gone.project_id, gone.chain_id))
    return true
  })

/** Chains that a key may change the verdict on. */
async function chainsOf(tx: Tx, projectId: string, chainId: string | null): Promise<string[]> {
  if (chainId !== null) return [chainId]
  const rows = await tx<
    {
      id: RowOf<'receipts', 'chain_id'>['chain_id']
    }[]
  >`select distinct chain_id as id from receipts where project_id = ${projectId}`
  return rows.map(({ id }) => id)
}
