import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { idText } from '@/lib/formats/claude/text'
import { checkDelegation } from '@/lib/judge/receipts/delegation'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

const DELEGATED_MAX = 100

/** Whose sub-agent wrote a chain, by the claim of its first receipt, and whether that is borne out; and the chains that claim it as their parent. */
export async function readDelegations(
  { sql }: Db,
  projectId: string,
  chainId: string,
): Promise<Pick<ReceiptChainItem, 'delegation' | 'delegated'>> {
  const textOf = async (where: ReturnType<typeof sql>) =>
    (
      await sql<
        (RowOf<'receipts', 'sequence'> & {
          key: RowOf<'receipts', 'stream_id'>['stream_id']
          bytes: Uint8Array
        })[]
      >`
    select r.stream_id as key, r.sequence, substring(b.bytes from r.kept_start + 1 for r.kept_end - r.kept_start) as bytes
    from receipts r join received b on b.project_id = r.project_id and b.id = r.received_id
    where r.project_id = ${projectId} and ${where} order by r.place, r.digest, r.stream_id limit 1`
    )[0]
  const factsOf = (row: { bytes: Uint8Array }) => readReceipt(new TextDecoder().decode(row.bytes)).facts
  const [first, delegated] = await Promise.all([
    textOf(sql`r.chain_id = ${chainId}`),
    sql<
      (RowOf<'receipts', 'chainId'> & {
        key: RowOf<'receipts', 'stream_id'>['stream_id']
        parentKey: RowOf<'receipts', 'stream_id'>['stream_id'] | null
        parentSequence: RowOf<'receipts', 'sequence'>['sequence']
      })[]
    >`
      select r.chain_id as "chainId", r.stream_id as key, p.stream_id as "parentKey", p.sequence as "parentSequence" from receipts r
      left join lateral (select stream_id, sequence from receipts where project_id = ${projectId} and receipt_id = r.parent_receipt and chain_id = ${chainId} order by digest limit 1) p on true
      where r.project_id = ${projectId} and r.parent_chain = ${chainId} order by p.sequence nulls last, r.chain_id, r.stream_id limit ${DELEGATED_MAX}`,
  ])
  const facts = first && factsOf(first)
  const claim = facts?.delegation
  if (!facts || !claim) return { delegation: null, delegated: [...delegated] }
  const parentChain =
    claim.parentChainId === null ? undefined : await textOf(sql`r.chain_id = ${idText(claim.parentChainId)}`)
  const parent =
    parentChain &&
    (await textOf(
      sql`r.chain_id = ${idText(claim.parentChainId ?? '')} and r.receipt_id = ${idText(claim.parentReceiptId ?? '')}`,
    ))
  const checked = checkDelegation(facts, () => (parentChain ? (parent ? [factsOf(parent)] : []) : null))
  return {
    delegation: {
      chainId: claim.parentChainId,
      receiptId: claim.parentReceiptId,
      key: parent?.key ?? null,
      sequence: parent?.sequence ?? null,
      chainIsHere: parentChain !== undefined,
      fault: checked !== null && 'fault' in checked ? checked.fault : null,
    },
    delegated: [...delegated],
  }
}
