import { v7 } from 'uuid'
import { adapterOf } from '@/lib/formats/adapters'
import { parsePart } from '@/lib/formats/parse-part'
import { storable } from '@/lib/formats/storable'
import type { Tx } from '../../client'
import { linesStandAlone, type IngestBody } from '../receive/ingest-body'
import { jsonText } from '../../json-text'
import { sha256 } from '../../sha256'
import type { RowOf } from '../../schema/rows'
import type { IngestKind } from '@/lib/model/ingest-kinds'

/** A stream as the writer holds it while it folds parts into it. */
export interface StreamRow {
  id: string
  sourceId: string
  streamId: string
  kind: IngestKind
  nextOffset: number
  context: unknown
  /** Made by this transaction: nothing of it is held yet. */
  isNew?: boolean
  /** What only its row needs, while it is not stored. */
  unstored?: { variantOf: string | null; fileName: string | null }
  /** Offset that the row says since this transaction stored it. */
  storedOffset?: number
}

export type PartRow = RowOf<'stream_parts', 'id' | 'state'> & {
  offset: RowOf<'stream_parts', 'byte_offset'>['byte_offset']
  length: RowOf<'stream_parts', 'original_length'>['original_length']
  sha256: RowOf<'stream_parts', 'original_sha256'>['original_sha256']
}

/** The name by which an import locks a stream: with all its variants, because a body that contradicts one may make another. */
export const streamLock = (projectId: string, streamId: string): string =>
  `stream ${projectId} ${streamId.split('~')[0]}`

/** The streams of each name, whatever their source, and those that begin like it but go on differently, in the order they appeared. */
export async function readCandidates(
  tx: Tx,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, StreamRow[]>> {
  const rows = await tx<
    RowOf<'streams', 'id' | 'sourceId' | 'streamId' | 'variantOf' | 'kind' | 'nextOffset' | 'context'>[]
  >`
    select id, source_id as "sourceId", stream_id as "streamId", variant_of as "variantOf", kind, next_offset as "nextOffset", context from streams
    where project_id = ${projectId} and (stream_id = any (${[...names]}::text[]) or variant_of = any (${[...names]}::text[]))
    order by id`
  const named = rows.map(({ variantOf, ...stream }) => ({ variantOf, stream }))
  return new Map(
    names.map((name) => [
      name,
      [
        ...named.filter((row) => row.stream.streamId === name),
        ...named.filter((row) => row.variantOf === name),
      ].map((row) => row.stream),
    ]),
  )
}

/** Whether any stream of this kind has only a torn first line so far. */
export async function hasTorn(tx: Tx, projectId: string, kind: IngestKind): Promise<boolean> {
  return (
    (
      await tx`select 1 from streams where project_id = ${projectId} and kind = ${kind} and next_offset = 0 limit 1`
    ).length > 0
  )
}

export async function readParts(tx: Tx, projectId: string, stream: string): Promise<PartRow[]> {
  return tx<PartRow[]>`
    select id, byte_offset as offset, original_length as length, original_sha256 as sha256, state from stream_parts
    where project_id = ${projectId} and stream_id = ${stream} order by byte_offset, original_length`
}

/** A stream that is not stored yet: `insertStream` does, once its first part is read. */
export const newStream = (s: {
  sourceId: string
  streamId: string
  variantOf: string | null
  kind: IngestKind
  fileName: string | null
  context: unknown
}): StreamRow => ({
  id: v7(),
  sourceId: s.sourceId,
  streamId: s.streamId,
  kind: s.kind,
  nextOffset: 0,
  context: s.context,
  isNew: true,
  unstored: { variantOf: s.variantOf, fileName: s.fileName },
})

/** Stores new streams as they are. */
export async function insertStreams(tx: Tx, projectId: string, streams: readonly StreamRow[]): Promise<void> {
  const rows = streams.map((s) => {
    const { variantOf, fileName } = s.unstored!
    delete s.unstored
    s.storedOffset = s.nextOffset
    return {
      ...s,
      variantOf,
      fileName: fileName === null ? null : storable(fileName),
      channel: adapterOf(s.kind).channel,
      context: jsonText(s.context),
    }
  })
  await tx`
    insert into streams (project_id, id, source_id, stream_id, variant_of, kind, channel, file_name, next_offset, context)
    select ${projectId}, id, source_id, stream_id, variant_of, kind, channel, file_name, next_offset, context::jsonb
    from unnest(${rows.map((s) => s.id)}::uuid[], ${rows.map((s) => s.sourceId)}::uuid[], ${rows.map((s) => s.streamId)}::text[], ${rows.map((s) => s.variantOf)}::text[],
      ${rows.map((s) => s.kind)}::text[], ${rows.map((s) => s.channel)}::text[], ${rows.map((s) => s.fileName)}::text[], ${rows.map((s) => s.nextOffset)}::bigint[],
      ${rows.map((s) => s.context)}::text[]) s(id, source_id, stream_id, variant_of, kind, channel, file_name, next_offset, context)`.execute()
}

/** Stores how far the stream has come, unless that is there already. */
export async function saveStream(tx: Tx, projectId: string, s: StreamRow): Promise<void> {
  if (s.storedOffset === s.nextOffset) return
  await tx`
    update streams set next_offset = ${s.nextOffset}, context = ${jsonText(s.context)}::text::jsonb, updated_at = now()
    where project_id = ${projectId} and id = ${s.id}`.execute()
}

/**
 * A stream of which only a torn first line has arrived has no right name yet: names are made of the first record. When the body begins
 * with that line, the stream takes the name of the body.
 */
export async function adoptTorn(
  tx: Tx,
  projectId: string,
  sourceId: string,
  body: IngestBody,
  streamId: string,
): Promise<StreamRow | null> {
  const { kind, bytes, fileName = null } = body
  const waiting = await tx<
    (RowOf<'streams', 'id' | 'sourceId' | 'streamId' | 'kind' | 'nextOffset' | 'context'> & {
      length: RowOf<'stream_parts', 'original_length'>['original_length']
      sha256: RowOf<'stream_parts', 'original_sha256'>['original_sha256']
    })[]
  >`
    select s.id, s.source_id as "sourceId", s.stream_id as "streamId", s.kind, s.next_offset as "nextOffset", s.context,
      p.original_length as length, p.original_sha256 as sha256
    from streams s join stream_parts p on p.project_id = s.project_id and p.stream_id = s.id
    where s.project_id = ${projectId} and s.source_id = ${sourceId} and s.kind = ${kind} and s.next_offset = 0 and p.state = 'folded' and p.byte_offset = 0
      and p.original_length <= ${bytes.length} and (${!linesStandAlone(body)} or s.file_name is not distinct from ${fileName})
    order by p.original_length desc for update of s`
  const found = waiting.find((row) => sha256(bytes.subarray(0, row.length)) === row.sha256)
  if (!found) return null
  await tx`update streams set stream_id = ${streamId} where project_id = ${projectId} and id = ${found.id}`
  return {
    id: found.id,
    sourceId: found.sourceId,
    streamId,
    kind: found.kind,
    nextOffset: 0,
    context: found.context,
  }
}

export interface Overlap {
  /** False: the body says something else than what was taken in before. */
  agrees: boolean
  /** Where the taken-in bytes end (a torn last line included), whether folded or waiting. */
  coveredEnd: number
}

/**
 * Compares a body with what is held of a stream. Parts that lie inside the body are compared by the digest of the original; one that the
 * body only reaches into is compared record by record, because its original bytes are gone where something was taken out.
 *
 * @param offset where the body begins in the stream
 */
export async function compareWithHeld(
  tx: Tx,
  projectId: string,
  stream: StreamRow,
  body: Pick<IngestBody, 'bytes' | 'fileName'>,
  offset: number,
): Promise<Overlap> {
  const { bytes } = body
  const end = offset + bytes.length
  let coveredEnd = 0
  const parts = await readParts(tx, projectId, stream.id)
  for (const part of parts) {
    const partEnd = part.offset + part.length
    if (part.state === 'folded') coveredEnd = Math.max(coveredEnd, partEnd)
    if (partEnd <= offset || part.offset >= end) continue
    const inside = part.offset >= offset && partEnd <= end
    const agrees = inside
      ? sha256(bytes.subarray(part.offset - offset, partEnd - offset)) === part.sha256
      : part.state !== 'folded' ||
        (await sameRecords(
          tx,
          projectId,
          stream,
          body,
          offset,
          Math.max(part.offset, offset),
          Math.min(partEnd, end),
        ))
    if (!agrees) return { agrees: false, coveredEnd }
  }
  return { agrees: true, coveredEnd }
}

async function sameRecords(
  tx: Tx,
  projectId: string,
  stream: StreamRow,
  body: Pick<IngestBody, 'bytes' | 'fileName'>,
  bodyOffset: number,
  from: number,
  to: number,
): Promise<boolean> {
  const adapter = adapterOf(stream.kind)
  const slice = body.bytes.subarray(from - bodyOffset, to - bodyOffset)
  const { records } = await parsePart({
    adapter,
    bytes: slice,
    offset: from,
    context: adapter.start({ fileName: body.fileName }),
    redact: false,
    final: false,
  })
  if (records.length === 0) return true
  const held = await tx<RowOf<'events', 'byte_offset' | 'length' | 'identity'>[]>`
    select v.byte_offset, v.length, v.identity from execution_streams x
    join events v on v.project_id = x.project_id and v.execution_id = x.execution_id and v.stream_id = x.stream_id
    where x.project_id = ${projectId} and x.stream_id = ${stream.id} and v.byte_offset >= ${from} and v.byte_offset < ${to}`
  const byOffset = new Map(held.map((row) => [row.byte_offset, row]))
  // A document is read only where it is whole, and then it is as long as the one that is held or another one.
  const isDocument = (adapter.nameOf?.(body.fileName ?? null) ?? null) !== null
  return records.every((record, i) => {
    const known = byOffset.get(record.offset)
    // The slice may end (or begin) inside of a record: only those that are whole in it can be compared.
    if (!known) return i === 0 || i === records.length - 1
    return known.length === record.length
      ? known.identity === storable(record.identity)
      : !isDocument && i === records.length - 1
  })
}
