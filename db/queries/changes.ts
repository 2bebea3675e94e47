import type { ChangeDetail, ChangeItem } from '@/lib/api/change-schemas'
import { assemblePatch, nameBelow } from '@/lib/judge/changes/assemble-patch'
import { readChange, type RecordedChange } from '@/lib/judge/changes/read-change'
import { asObject } from '@/lib/formats/claude/wire'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { formatCursor, parseCursor } from './cursor'
import type { RowOf } from '../schema/rows'
import type { Page } from '@/lib/model/page'

/** Tools that record what they change in a file. */
const TOOLS = ['Edit', 'MultiEdit', 'Write']

type CallRow = RowOf<'calls', 'ordinal' | 'callId' | 'tool'> & {
  at: RowOf<'calls', 'ended_at'>['ended_at']
  pointer: NonNullable<RowOf<'calls', 'result_pointer'>['result_pointer']>
  afterFailure: boolean | null
}

/** A record that lies in the kept bytes. */
type RecordRow = RowOf<'received_keys', 'sha256' | 'receivedId'> & {
  start: RowOf<'events', 'kept_start'>['kept_start']
  end: RowOf<'events', 'kept_end'>['kept_end']
}

interface ReadCall {
  row: CallRow
  place: RecordRow
  /** Null: its record is larger than is read. */
  change: { read: RecordedChange; name: string } | null
}

export interface ListChangesOptions {
  projectId: string
  executionId: string
  cursor?: string | null
  limit: number
}

/**
 * What the agent changed, in the order of its calls, read out of the kept bytes. A page looks at so many calls of tools that change files; those of
 * which nothing is recorded are not on it.
 *
 * @throws BadCursorError
 */
export async function listChanges(
  db: Pick<Db, 'sql'>,
  { projectId, executionId, cursor, limit }: ListChangesOptions,
): Promise<Page<ChangeItem>> {
  const [after] = parseCursor('changes', ['int'], cursor ?? null) ?? [-1]
  const most = Math.min(limit, limits.changesPageMax)
  const rows = await readCalls(db, projectId, executionId, { after: after as number, limit: most + 1 })
  const page = rows.slice(0, most)
  const items = (await readChanges(db, projectId, executionId, page)).map(toItem)
  return { items, nextCursor: rows.length > most ? formatCursor('changes', page.at(-1)!.ordinal) : null }
}

/** One of them with its lines; null when the call at this place changed nothing that is recorded. */
export async function readChangeAt(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  ordinal: number,
): Promise<ChangeDetail | null> {
  const rows = await readCalls(db, projectId, executionId, { after: ordinal - 1, limit: 1 })
  const [found] = await readChanges(
    db,
    projectId,
    executionId,
    rows.filter((row) => row.ordinal === ordinal),
  )
  if (!found) return null
  const { change } = found
  return {
    ...toItem(found),
    patch: change === null || change.read.hunks.length === 0 ? null : assemblePatch(change.read, change.name),
  }
}

const readCalls = async (
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  { after, limit }: { after: number; limit: number },
): Promise<CallRow[]> => db.sql<CallRow[]>`
  select ordinal, call_id as "callId", tool, ended_at as at, result_pointer as pointer,
    ordinal > (select min(f.ordinal) from calls f where f.project_id = ${projectId} and f.execution_id = ${executionId} and f.state = 'failed') as "afterFailure"
  from calls where project_id = ${projectId} and execution_id = ${executionId} and ordinal > ${after} and state = 'succeeded' and tool = any (${TOOLS}) and result_pointer is not null
  order by ordinal limit ${limit}`

/** The records that hold the results of these calls, found in one look over the stretch that they lie in. */
async function readRecords(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  calls: readonly CallRow[],
): Promise<RecordRow[]> {
  const digests = [...new Set(calls.map(({ pointer }) => pointer.received))]
  const [first, last] = [
    Math.min(...calls.map(({ pointer }) => pointer.byteStart)),
    Math.max(...calls.map(({ pointer }) => pointer.byteEnd)),
  ]
  return db.sql<RecordRow[]>`
    select k.sha256, k.received_id as "receivedId", v.kept_start as start, v.kept_end as end
    from received_keys k join events v on v.project_id = k.project_id and v.received_id = k.received_id
    where k.project_id = ${projectId} and k.sha256 = any (${digests}) and v.execution_id = ${executionId} and v.kind = 'result'
      ${digests.length === 1 ? db.sql`and v.kept_end >= ${first} and v.kept_start <= ${last}` : db.sql``}
    order by v.kept_start`
}

async function readChanges(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  calls: readonly CallRow[],
): Promise<ReadCall[]> {
  if (calls.length === 0) return []
  const records = await readRecords(db, projectId, executionId, calls)
  const read: ReadCall[] = []
  // One after the other: each holds two whole files.
  for (const row of calls) {
    const { pointer } = row
    const place = records.find(
      (record) =>
        record.sha256 === pointer.received &&
        record.start <= pointer.byteStart &&
        record.end >= pointer.byteEnd,
    )
    if (!place) continue
    if (place.end - place.start > limits.changeBytesMax) {
      read.push({ row, place, change: null })
      continue
    }
    const change = await readRecord(db, projectId, place)
    if (change !== null) read.push({ row, place, change })
  }
  return read
}

async function readRecord(
  db: Pick<Db, 'sql'>,
  projectId: string,
  { receivedId, start, end }: RecordRow,
): Promise<ReadCall['change']> {
  const [kept] = await db.sql<{ bytes: Uint8Array }[]>`
    select substring(bytes from ${start + 1}::int for ${end - start}::int) as bytes from received where project_id = ${projectId} and id = ${receivedId}`
  const record = asObject(parsed(new TextDecoder().decode(kept!.bytes)))
  const read = record && readChange(record['toolUseResult'] ?? record['tool_use_result'])
  if (!read) return null
  const folder = record['cwd']
  return { read, name: nameBelow(read.path, typeof folder === 'string' ? folder : null) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A record that is odd is shown as that elsewhere.
    return null
  }
}

const toItem = ({
  row: { ordinal, callId, tool, at, afterFailure },
  place,
  change,
}: ReadCall): ChangeItem => ({
  ordinal,
  callId,
  tool,
  at,
  path: change?.read.path ?? '',
  name: change?.name ?? '',
  fit: change?.read.fit ?? 'too-large',
  additions: change?.read.additions ?? 0,
  deletions: change?.read.deletions ?? 0,
  hunks: change?.read.hunks.length ?? 0,
  afterFailure,
  pointer: { received: place.sha256, byteStart: place.start, byteEnd: place.end },
})
