import { adapterOf } from '@/lib/formats/adapters'
import { storableDeep } from '@/lib/formats/storable'
import type { NormalRecord, ParsedPart } from '@/lib/model/normal-form'
import { resolveExecutions, type ExecutionRef } from './execution-ids'
import { insertParts, type StoredPart } from './insert-parts'
import { parseKept, type FoldedPart } from '../receive/parse'
import { storeApart } from './store-apart'
import { oddRow, storeOdd } from './store-records'
import { claimBytes, copyBytes } from '../../received-bytes'
import { marksWithin } from '../receive/marks-within'
import { insertStreams, type StreamRow } from './streams'
import { note, touch, type Writing } from './writing'
import { freshEvent } from './fresh-events'
import type { RowOf } from '../../schema/rows'

/** A part that was read, at its place in its stream. */
export interface ReadPart extends ParsedPart<unknown> {
  offset: number
  /** Context the part was read with: it stays when the part has to be read again from its beginning. */
  before: unknown
}

/** A part of which nothing is stored yet. */
export interface ArrivedPart {
  w: Writing
  stream: StreamRow
  part: ReadPart & Pick<FoldedPart, 'lines'>
  /** Bytes of the original that it takes in. */
  length: number
  originalSha256: string
  keptSha256: string
}

/** A part whose bytes are kept, and what of it is new. */
interface PartToFold {
  w: Writing
  stream: StreamRow
  part: Pick<ReadPart, 'offset' | 'marks'>
  received: { id: string; sha256: string }
  fresh: readonly NormalRecord[]
}

/** Stores parts of any streams of one transaction, all of them with the same few statements, and folds them. */
export async function storeParts(arrived: readonly ArrivedPart[]): Promise<void> {
  if (arrived.length === 0) return
  const { tx, projectId, sent } = arrived[0]!.w
  const fresh: NormalRecord[][] = []
  for (const { w, stream, part } of arrived) fresh.push(await freshRecords(w, stream, part))
  const unstored = [...new Set(arrived.map(({ stream }) => stream))].filter((stream) => stream.unstored)
  if (unstored.length > 0) sent.add(insertStreams(tx, projectId, unstored))
  const [bytes, refs] = await Promise.all([
    claimBytes(
      tx,
      projectId,
      arrived.map(({ part, keptSha256 }) => ({ bytes: part.kept, sha256: keptSha256 })),
    ),
    resolveAll(arrived.map(({ w }, i) => ({ w, fresh: fresh[i]! }))),
  ])
  await copyBytes(tx, projectId, bytes.made)
  const received = arrived.map(({ keptSha256 }) => ({ id: bytes.ids.get(keptSha256)!, sha256: keptSha256 }))
  insertParts(
    arrived[0]!.w,
    arrived.map(
      ({ stream, part, length, originalSha256 }, i): StoredPart => ({
        streamRow: stream.id,
        offset: part.offset,
        length,
        sha256: originalSha256,
        receivedId: received[i]!.id,
        state: 'folded',
        marks: part.marks,
        lines: part.lines,
      }),
    ),
  )
  await foldParts(
    arrived.map(({ w, stream, part }, i) => ({ w, stream, part, received: received[i]!, fresh: fresh[i]! })),
    refs,
  )
}

/** Folds a part whose bytes are kept already. The stream then is at the part's `nextOffset`. */
export async function foldPart(
  w: Writing,
  stream: StreamRow,
  part: ReadPart,
  received: { id: string; sha256: string },
): Promise<void> {
  const fresh = await freshRecords(w, stream, part)
  await foldParts([{ w, stream, part, received, fresh }], await resolveAll([{ w, fresh }]))
  Object.assign(stream, standingAfter(part))
}

/** Records that add something: not those that are there already, and away with the torn line that one of them completes. */
async function freshRecords(w: Writing, stream: StreamRow, part: ReadPart): Promise<NormalRecord[]> {
  const held = stream.isNew ? new Map<number, HeldRecord>() : await readHeld(w, stream, part.offset)
  const fresh = part.records.filter((record) => {
    const known = held.get(record.offset)
    return !known || (known.torn && !(record.oddReason === 'torn_line' && record.length === known.length))
  })
  const offsets = new Set(fresh.map((record) => record.offset))
  // A torn line that named no execution left only a note; all such streams begin with it.
  if (!stream.isNew && part.offset === 0 && fresh.length > 0) await forgetTorn(w, stream, fresh)
  for (const [offset, row] of held)
    if (row.torn && offsets.has(offset)) await removeTorn(w, stream, row.executionId, offset)
  w.touched.duplicates += part.records.length - fresh.length
  return fresh
}

/** Our ids for all executions that are named, by source: one statement for each. */
async function resolveAll(
  parts: readonly { w: Writing; fresh: readonly NormalRecord[] }[],
): Promise<Map<string, Map<string, ExecutionRef>>> {
  const bySource = new Map<string, { w: Writing; keys: Set<string> }>()
  for (const { w, fresh } of parts) {
    const wanted = bySource.get(w.source.id) ?? { w, keys: new Set<string>() }
    for (const record of fresh) if (!record.homeless) wanted.keys.add(record.executionKey)
    bySource.set(w.source.id, wanted)
  }
  return new Map(
    await Promise.all(
      [...bySource].map(
        async ([id, { w, keys }]) =>
          [id, await resolveExecutions(w.tx, w.projectId, w.source, keys)] as const,
      ),
    ),
  )
}

async function foldParts(
  parts: readonly PartToFold[],
  refs: ReadonlyMap<string, ReadonlyMap<string, ExecutionRef>>,
): Promise<void> {
  const { tx, projectId } = parts[0]!.w
  const refOf = (w: Writing, record: NormalRecord): ExecutionRef =>
    refs.get(w.source.id)!.get(record.executionKey)!
  const storedAs = await storeApart(
    parts[0]!.w,
    parts.flatMap(({ w, stream, part, received, fresh }) => {
      const { channel } = adapterOf(stream.kind)
      return fresh
        .filter((record) => !record.homeless)
        .map((record) => ({
          executionId: refOf(w, record).id,
          streamId: stream.id,
          receivedId: received.id,
          channel,
          offset: record.offset,
          record,
          marks: part.marks,
        }))
    }),
  )
  await storeOdd(
    tx,
    projectId,
    parts.flatMap(({ stream, received, fresh }) =>
      fresh
        .filter((record) => record.homeless)
        .map((record) =>
          oddRow({ streamId: stream.id, receivedId: received.id, offset: record.offset, record }),
        ),
    ),
  )
  for (const { w, stream, part, received, fresh } of parts) {
    const from = {
      name: stream.streamId,
      channel: adapterOf(stream.kind).channel,
      received: received.sha256,
      marks: part.marks,
    }
    const stored = fresh.map((record) => storedAs.get(record) ?? record)
    for (const record of stored) {
      if (record.homeless) continue
      const ref = refOf(w, record)
      touch(w, ref)
      w.fresh?.add(ref.id, freshEvent(record, from))
    }
    note(w.touched, stored)
  }
}

/** Where the stream is after a part, as it will be read back, so that it goes on alike after a pause and without one. */
export const standingAfter = (part: ReadPart): { nextOffset: number; context: unknown } => ({
  nextOffset: part.nextOffset,
  context: part.nextOffset === part.offset ? part.before : storableDeep(part.context),
})

interface HeldRecord {
  executionId: string
  torn: boolean
  length: number
}

/** Events of the stream from an offset on: few, because parts are folded where the stream ends. */
async function readHeld(
  { tx, projectId }: Writing,
  stream: StreamRow,
  from: number,
): Promise<Map<number, HeldRecord>> {
  const rows = await tx<(RowOf<'events', 'byte_offset' | 'execution_id' | 'length'> & { torn: boolean })[]>`
    select v.byte_offset, v.execution_id, v.odd_reason is not distinct from 'torn_line' as torn, v.length from execution_streams x
    join events v on v.project_id = x.project_id and v.execution_id = x.execution_id and v.stream_id = x.stream_id
    where x.project_id = ${projectId} and x.stream_id = ${stream.id} and v.byte_offset >= ${from}`
  return new Map(
    rows.map((row) => [
      row.byte_offset,
      { executionId: row.execution_id, torn: row.torn, length: row.length },
    ]),
  )
}

async function forgetTorn(
  { tx, projectId }: Writing,
  stream: StreamRow,
  fresh: readonly NormalRecord[],
): Promise<void> {
  await tx`
    delete from odd_input where project_id = ${projectId} and stream_id = ${stream.id} and execution_id is null and reason = 'torn_line'
      and byte_offset = any (${fresh.map((record) => record.offset)}::bigint[])`
}

async function removeTorn(
  { tx, projectId, touched, fresh }: Writing,
  stream: StreamRow,
  executionId: string,
  offset: number,
): Promise<void> {
  const [gone] = await tx<RowOf<'events', 'received_id' | 'kept_start' | 'kept_end'>[]>`
    delete from events where project_id = ${projectId} and execution_id = ${executionId} and stream_id = ${stream.id} and byte_offset = ${offset} and odd_reason = 'torn_line'
    returning received_id, kept_start, kept_end`
  await tx`delete from odd_input where project_id = ${projectId} and stream_id = ${stream.id} and byte_offset = ${offset} and reason = 'torn_line'`
  const [part] = await tx<RowOf<'stream_parts', 'marks'>[]>`
    select marks from stream_parts where project_id = ${projectId} and stream_id = ${stream.id} and received_id = ${gone!.received_id} limit 1`
  const redactions = marksWithin(part?.marks ?? [], gone!.kept_start, gone!.kept_end)
  await tx`
    update execution_streams set events = events - 1, redactions = redactions - ${redactions}
    where project_id = ${projectId} and execution_id = ${executionId} and stream_id = ${stream.id}`
  const [row] = await tx<RowOf<'execution_keys', 'external_id' | 'source_id'>[]>`
    select external_id, source_id from execution_keys where project_id = ${projectId} and execution_id = ${executionId}`
  fresh?.forget(executionId)
  if (row)
    touch(
      { touched },
      { id: executionId, externalId: row.external_id, sourceId: row.source_id, isNew: false },
    )
}

/** Folds the parts that waited for a gap to close, one after the other, as long as they follow on. */
export async function foldPending(w: Writing, stream: StreamRow): Promise<void> {
  const { tx, projectId } = w
  for (;;) {
    const [next] = await tx<
      (RowOf<'stream_parts', 'id' | 'byte_offset' | 'original_length' | 'received_id' | 'marks' | 'lines'> &
        RowOf<'received', 'sha256' | 'bytes'>)[]
    >`
      select p.id, p.byte_offset, p.original_length, p.received_id, r.sha256, p.marks, p.lines, r.bytes from stream_parts p
      join received r on r.project_id = p.project_id and r.id = p.received_id
      where p.project_id = ${projectId} and p.stream_id = ${stream.id} and p.state = 'pending' and p.byte_offset <= ${stream.nextOffset}
      order by p.byte_offset, p.original_length desc limit 1`
    if (!next) return
    await tx`update stream_parts set state = 'folded' where project_id = ${projectId} and id = ${next.id}`
    await tx`delete from odd_input where project_id = ${projectId} and stream_id = ${stream.id} and byte_offset = ${next.byte_offset} and reason = 'gap'`
    // All of it may have come by another way in the meantime.
    if (next.byte_offset + next.original_length <= stream.nextOffset) continue
    const before = stream.context
    const parsed = await parseKept(stream.kind, {
      bytes: next.bytes,
      offset: next.byte_offset,
      context: before,
      lines: next.lines,
      failureTag: w.failureTag,
    })
    await foldPart(
      w,
      stream,
      { ...parsed, marks: next.marks, offset: next.byte_offset, before },
      { id: next.received_id, sha256: next.sha256 },
    )
  }
}
