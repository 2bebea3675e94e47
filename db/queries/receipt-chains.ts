import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { formatCursor, isUuid, parseCursor } from './cursor'
import { readDelegations } from './receipt-delegations'
import { listReceiptKeys } from './receipt-keys'
import type { RowOf } from '../schema/rows'
import type { ReceiptItem } from '@/lib/model/receipt-chain'
import type { Page } from '@/lib/model/page'

const SESSIONS_MAX = 100
/** Bytes of receipts that one page may hold. */
const PAGE_BYTES_MAX = 4 * 1024 * 1024

/** The chain of this id; of several projects that have one, that of the first. Null when none has. */
export async function readReceiptChain(
  db: Db,
  projectIds: readonly string[],
  chainId: string,
): Promise<ReceiptChainItem | null> {
  const [found] = await db.sql<
    (RowOf<'receipts', 'projectId'> & {
      id: RowOf<'receipts', 'chain_id'>['chain_id']
      project: RowOf<'projects', 'slug'>['slug']
    } & Pick<
        Omit<ReceiptChainItem, 'sessions' | 'keys' | 'delegation' | 'delegated'> & { projectId: string },
        'receipts' | 'failures' | 'rivals' | 'firstAt' | 'lastAt'
      >)[]
  >`
    select r.project_id as "projectId", r.chain_id as id, p.slug as project, count(*)::int as receipts, count(*) filter (where r.status = 'failure')::int as failures,
      (count(*) - count(distinct coalesce(r.sequence::text, r.stream_id::text)))::int as rivals, min(r.at) as "firstAt", max(r.at) as "lastAt"
    from receipts r join projects p on p.id = r.project_id
    where r.project_id = any (${projectIds as string[]}::uuid[]) and r.chain_id = ${chainId} group by r.project_id, r.chain_id, p.slug order by r.project_id limit 1`
  if (!found) return null
  const { projectId, ...chain } = found
  const [sessions, keys, delegations] = await Promise.all([
    db.sql<
      (RowOf<'receipts', 'sessionId' | 'executionId'> &
        Pick<ReceiptChainItem['sessions'][number], 'receipts' | 'failures'>)[]
    >`
      select session_id as "sessionId", execution_id as "executionId", count(*)::int as receipts, count(*) filter (where status = 'failure')::int as failures
      from receipts where project_id = ${projectId} and chain_id = ${chainId} group by 1, 2 order by min(place), 2 limit ${SESSIONS_MAX}`,
    listReceiptKeys(db, [projectId], chainId),
    readDelegations(db, projectId, chainId),
  ])
  return { ...chain, sessions: [...sessions], keys, ...delegations }
}

/** The chains that hold receipts of an execution, the one with most of them first. */
export async function listReceiptChains(
  db: Db,
  projectIds: readonly string[],
  executionId: string,
): Promise<ReceiptChainItem[]> {
  if (!isUuid(executionId)) return []
  const rows = await db.sql<RowOf<'receipts', 'chain_id'>[]>`
    select chain_id from receipts where project_id = any (${projectIds as string[]}::uuid[]) and execution_id = ${executionId} group by chain_id order by count(*) desc, chain_id limit 50`
  const chains = await Promise.all(rows.map((row) => readReceiptChain(db, projectIds, row.chain_id)))
  return chains.filter((chain) => chain !== null)
}

export interface ListReceiptsOptions {
  projectIds: readonly string[]
  chainId: string
  cursor?: string | null
  limit?: number
}

/** The receipts of a chain by their numbers, those of one number by their digests, each as it was received. @throws BadCursorError */
export async function listReceipts(db: Db, options: ListReceiptsOptions): Promise<Page<ReceiptItem>> {
  const { items, nextCursor } = await listReceiptBytes(db, options)
  const decoder = new TextDecoder()
  return { items: items.map(({ bytes, ...item }) => ({ ...item, text: decoder.decode(bytes) })), nextCursor }
}

/** `listReceipts` with bytes in place of texts. @throws BadCursorError */
export async function listReceiptBytes(
  db: Db,
  { projectIds, chainId, cursor, limit }: ListReceiptsOptions,
): Promise<Page<Omit<ReceiptItem, 'text'> & { bytes: Uint8Array }>> {
  const after = parseCursor('receipts', ['bigint', 'text', 'uuid'], cursor)
  const rows = Math.min(Math.max(1, limit ?? limits.pageRowsMax), limits.pageRowsMax)
  const found = await db.sql<
    (RowOf<
      'receipts',
      'sequence' | 'at' | 'executionId' | 'sessionId' | 'correlationId' | 'digest' | 'keptStart' | 'keptEnd'
    > &
      RowOf<'received', 'sha256'> & {
        key: RowOf<'receipts', 'stream_id'>['stream_id']
        id: RowOf<'receipts', 'receipt_id'>['receipt_id']
      } & Pick<
        Omit<ReceiptItem, 'pointer' | 'text'> & {
          place: string
          digest: string
          sha256: string
          keptStart: number
          keptEnd: number
          bytes: Uint8Array
        },
        'place' | 'bytes'
      >)[]
  >`
    select r.stream_id as key, r.receipt_id as id, r.sequence, r.at, r.execution_id as "executionId", r.session_id as "sessionId", r.correlation_id as "correlationId",
      r.place::text as place, r.digest, b.sha256, r.kept_start as "keptStart", r.kept_end as "keptEnd",
      substring(b.bytes from r.kept_start + 1 for r.kept_end - r.kept_start) as bytes
    from receipts r join received b on b.project_id = r.project_id and b.id = r.received_id
    where r.project_id = (select project_id from receipts where project_id = any (${projectIds as string[]}::uuid[]) and chain_id = ${chainId} order by project_id limit 1)
      and r.chain_id = ${chainId}
      ${after === null ? db.sql`` : db.sql`and (r.place, r.digest, r.stream_id) > (${after[0]!}::bigint, ${after[1]!}, ${after[2]!}::uuid)`}
    order by r.place, r.digest, r.stream_id limit ${rows + 1}`
  let bytes = 0
  let taken = 0
  while (
    taken < Math.min(found.length, rows) &&
    (taken === 0 || bytes + found[taken]!.bytes.length <= PAGE_BYTES_MAX)
  )
    bytes += found[taken++]!.bytes.length
  const items = found.slice(0, taken)
  const last = items.at(-1)
  return {
    items: items.map(({ place: _, digest: __, sha256, keptStart, keptEnd, ...item }) => ({
      ...item,
      pointer: { received: sha256, byteStart: keptStart, byteEnd: keptEnd },
    })),
    nextCursor:
      last && found.length > taken ? formatCursor('receipts', last.place, last.digest, last.key) : null,
  }
}
