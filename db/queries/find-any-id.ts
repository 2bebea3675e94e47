import type { Pointer } from '@/lib/model/execution'
import { idText } from '@/lib/formats/claude/text'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'

export type Found = {
  /** Of a chain: of one of its receipts. */
  executionId: RowOf<'executions', 'id'>['id']
  /** Distinguishes several finds. */
  label: RowOf<'executions', 'external_id'>['external_id']
  kind: 'execution' | 'session' | 'receipt' | 'call' | 'chain' | 'event' | 'received'
  /** For a tool call, so that its page can open on it. */
  callId?: RowOf<'calls', 'call_id'>['call_id']
  /** For a receipt: the key that distinguishes receipts of one id. */
  receiptKey?: RowOf<'receipts', 'stream_id'>['stream_id']
  /** For a chain: its id, which may contain slashes. */
  chainId?: RowOf<'receipts', 'chain_id'>['chain_id']
  /** For a record: where it is in the kept bytes. */
  pointer?: Pointer
}

/** A chooser lists at most this many finds. */
const FOUND_MAX = 20

/**
 * Finds what an id stands for: execution (ours or the source's), session, receipt (by its id or hash), tool call, chain of receipts, record, or
 * the digest of a kept part; last of all, an execution whose id begins so.
 * The most specific kind that is known answers alone: an id that names an execution is not also looked for among its events.
 */
export async function findAnyId(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  if (id === '' || id.length > limits.findIdCharsMax || id.includes('\0') || projectIds.length === 0)
    return []
  const finders: ((db: Db, projectIds: string[], id: string) => Promise<Found[]>)[] = [
    findExecution,
    findReceipt,
    findCall,
    findChain,
    findReceived,
    findEvent,
    findBeginning,
  ]
  for (const find of finders) {
    const found = await find(db, projectIds, id)
    if (found.length > 0) return found
  }
  return []
}

async function findExecution(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  if (isUuid(id)) {
    const own = await db.sql<Found[]>`
      select 'execution' as kind, id as "executionId", external_id as label from executions where project_id = any (${projectIds}::uuid[]) and id = ${id}`
    if (own.length > 0) return [...own]
  }
  const named = await db.sql<Found[]>`
    select case when position('/' in k.external_id) > 0 then 'execution' else 'session' end as kind, k.execution_id as "executionId",
      s.name || ' · ' || k.external_id as label
    from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
    where k.project_id = any (${projectIds}::uuid[]) and k.external_id = ${id} order by k.execution_id limit ${FOUND_MAX}`
  if (named.length > 0) return [...named]
  // A session of which only sub-agents have arrived: '/' is followed by '0' in the order of bytes.
  const below = await db.sql<Found[]>`
    select 'execution' as kind, k.execution_id as "executionId", s.name || ' · ' || k.external_id as label
    from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
    where k.project_id = any (${projectIds}::uuid[]) and k.external_id > ${`${id}/`} and k.external_id < ${`${id}0`} order by k.external_id limit ${FOUND_MAX}`
  return [...below]
}

/** Fewer characters name too much. */
const BEGINNING_MIN = 8
/** Behind every text that begins like this one, in the order of bytes. */
const LAST = '\u{10ffff}'
const UUID = '00000000-0000-0000-0000-000000000000'

/** An execution by the first characters of an id of it, as people copy them from a narrow column. */
async function findBeginning(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  if (id.length < BEGINNING_MIN) return []
  const isOwn = id.length < UUID.length && isUuid(`${id}${UUID.slice(id.length)}`)
  const named = db.sql<Found[]>`
    select 'session' as kind, k.execution_id as "executionId", s.name || ' · ' || k.external_id as label
    from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
    where k.project_id = any (${projectIds}::uuid[]) and k.external_id > ${id} and k.external_id < ${`${id}${LAST}`} order by k.external_id limit ${FOUND_MAX}`
  const own = isOwn
    ? db.sql<Found[]>`
    select 'execution' as kind, id as "executionId", external_id as label from executions
    where project_id = any (${projectIds}::uuid[]) and id between ${`${id}${UUID.slice(id.length)}`} and ${`${id}${UUID.slice(id.length).replaceAll('0', 'f')}`} order by id limit ${FOUND_MAX}`
    : []
  return [...(await named), ...(await own)].slice(0, FOUND_MAX)
}

/** By its id, or by its hash, whole or without what names the algorithm. A chooser lists receipts that share an id or a hash. */
async function findReceipt(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  const hash = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(id)?.[1]
  // Two conditions in one would read the table from end to end where one of them has no index to go by.
  const rows = await db.sql<Found[]>`
    select 'receipt' as kind, r.execution_id as "executionId", r.stream_id as "receiptKey",
      concat_ws(' · ', r.chain_id || coalesce(' no. ' || r.sequence, ''), r.action_type, r.status) as label
    from receipts r where r.project_id = any (${projectIds}::uuid[])
      and ${hash === undefined ? db.sql`r.receipt_id = ${idText(id)}` : db.sql`r.receipt_hash = ${`sha256:${hash.toLowerCase()}`}`}
    order by r.place, r.digest, r.stream_id limit ${FOUND_MAX}`
  return [...rows]
}

/** The page of a chain shows the one of the first project that has it. */
async function findChain(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  const rows = await db.sql<Found[]>`
    select 'chain' as kind, r.execution_id as "executionId", r.chain_id as "chainId", r.chain_id as label
    from receipts r where r.project_id = any (${projectIds}::uuid[]) and r.chain_id = ${idText(id)} order by r.project_id, r.place, r.digest, r.stream_id limit 1`
  return [...rows]
}

async function findCall(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  const rows = await db.sql<Found[]>`
    select 'call' as kind, a.execution_id as "executionId", a.call_id as "callId", a.tool || coalesce(' · ' || a.target, '') as label
    from calls a where a.project_id = any (${projectIds}::uuid[]) and a.call_id = ${idText(id)} order by a.execution_id limit ${FOUND_MAX}`
  return [...rows]
}

async function findReceived(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  if (!/^[0-9a-f]{64}$/i.test(id)) return []
  const rows = await db.sql<Found[]>`
    select distinct 'received' as kind, x.execution_id as "executionId", e.external_id as label
    from (
      select project_id, received_id from received_keys where project_id = any (${projectIds}::uuid[]) and sha256 = ${id.toLowerCase()}
      union select project_id, received_id from stream_parts where project_id = any (${projectIds}::uuid[]) and original_sha256 = ${id.toLowerCase()}) k
    join stream_parts p on p.project_id = k.project_id and p.received_id = k.received_id
    join execution_streams x on x.project_id = p.project_id and x.stream_id = p.stream_id
    join executions e on e.project_id = x.project_id and e.id = x.execution_id
    order by 2 limit ${FOUND_MAX}`
  return [...rows]
}

async function findEvent(db: Db, projectIds: string[], id: string): Promise<Found[]> {
  // A record that came through several streams is one find: the place where it is first.
  const rows = await db.sql<Found[]>`
    select distinct on (v.execution_id) 'event' as kind, v.execution_id as "executionId", v.type as label,
      jsonb_build_object('received', r.sha256, 'byteStart', v.kept_start, 'byteEnd', v.kept_end) as pointer
    from events v join received r on r.project_id = v.project_id and r.id = v.received_id
    where v.project_id = any (${projectIds}::uuid[]) and v.identity = ${id}
    order by v.execution_id, v.stream_id, v.byte_offset limit ${FOUND_MAX}`
  return [...rows]
}
