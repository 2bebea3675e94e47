import { oddDetailText } from '@/lib/words/odd-details'
import { adapterOf } from '@/lib/formats/adapters'
import { splitBody } from '@/lib/bytes/record-spans'
import { limits } from '@/lib/limits'
import { foldPending, standingAfter, storeParts, type ArrivedPart } from './fold'
import { insertParts } from './insert-parts'
import type { IngestBody } from '../receive/ingest-body'
import type { NamedStream } from '../receive/name-stream'
import type { ReceivedBody } from '../receive/receive-body'
import { parseArriving } from '../receive/parse'
import { storeOdd } from './store-records'
import { keepBytes } from '../../received-bytes'
import { sha256 } from '../../sha256'
import { adoptTorn, compareWithHeld, insertStreams, newStream, saveStream, type StreamRow } from './streams'
import type { Transaction, Writing } from './writing'
import type { RowOf } from '../../schema/rows'

export interface KnownStreams {
  /** Streams of the body's name under its source. */
  candidates: readonly StreamRow[]
  /** Whether a stream may be there of which only a torn first line has arrived. */
  anyTorn: boolean
}

/** Parts that wait to be stored together with those of other bodies. */
export class ArrivedParts {
  private waiting: ArrivedPart[] = []
  private bytes = 0
  private records = 0

  async add(part: ArrivedPart): Promise<void> {
    this.waiting.push(part)
    this.bytes += part.length
    this.records += part.part.records.length
    // Memory is bounded by a part, however many bodies there are.
    if (this.bytes >= limits.partBytesTarget || this.records >= limits.partLinesMax) await this.store()
  }

  async store(): Promise<void> {
    const parts = this.waiting
    this.waiting = []
    this.bytes = 0
    this.records = 0
    await storeParts(parts)
  }
}

/**
 * Writes a body into its stream. Its parts may still wait in `arrived` afterwards: only those of a stream that is new do, and whoever
 * calls stores them.
 */
export async function writeStream(
  w: Writing,
  arrived: ArrivedParts,
  received: ReceivedBody,
  known: KnownStreams,
): Promise<StreamRow> {
  const { body, name, originalSha256: bodySha256, document } = received
  const { bytes } = body
  const offset = body.offset ?? 0
  const { stream, coveredEnd } = await findStream(w, body, name, offset, known)
  const end = offset + bytes.length
  if (end <= Math.max(coveredEnd, stream.nextOffset)) {
    w.touched.duplicates += await countHeld(w, stream, offset, end)
    await touchHeld(w, stream)
    return stream
  }
  if (offset > stream.nextOffset) {
    if (stream.unstored) await insertStreams(w.tx, w.projectId, [stream])
    await waitForGap(w, stream, bytes, offset, body)
    return stream
  }
  if (stream.nextOffset > offset)
    w.touched.duplicates += await countHeld(w, stream, offset, stream.nextOffset)
  const first = stream.nextOffset
  // Pieces may have come out of order: what the stream says of itself is at its beginning.
  if (first === 0) stream.context = startContext(body, name)
  const tail = bytes.subarray(first - offset)
  // A text is one record for each part, however many lines it has.
  const isText = adapterOf(stream.kind).isText?.(stream.context) ?? false
  const linesMax = isText ? Number.POSITIVE_INFINITY : limits.partLinesMax
  for (const span of splitBody(
    tail,
    limits.partBytesTarget,
    linesMax,
    tail.length === bytes.length ? document : undefined,
  )) {
    const at = first + span.start
    // A part that ended inside of a line was not the last one after all: only the last part may be torn.
    const last = span.end === tail.length
    const part = tail.subarray(span.start, span.end)
    const before = stream.context
    const parsed = await parseArriving(stream.kind, {
      bytes: part,
      offset: at,
      context: before,
      redact: w.source.redact,
      failureTag: w.failureTag,
      final: !(last && (body.more ?? false)),
      document: part.length === bytes.length ? document : undefined,
    })
    const taken =
      parsed.kept.length === 0 && parsed.records.length === 0
        ? 0
        : lengthTaken(parsed.nextOffset, at, part, body.more ?? false)
    if (taken === 0) continue
    const original = part.subarray(0, taken)
    const originalSha256 = original.length === bytes.length ? bodySha256 : sha256(original)
    // Where nothing was taken out, what is kept is what came.
    const keptSha256 =
      parsed.marks.length === 0 && parsed.kept.length === original.length
        ? originalSha256
        : sha256(parsed.kept)
    const read = { ...parsed, offset: at, before }
    Object.assign(stream, standingAfter(read))
    await arrived.add({ w, stream, part: read, length: taken, originalSha256, keptSha256 })
    // What follows asks for what is held.
    if (!stream.isNew) await arrived.store()
  }
  if (stream.isNew) return stream
  await foldPending(w, stream)
  w.sent.add(saveStream(w.tx, w.projectId, stream))
  return stream
}

/** Notes how far the stream has come, once its parts are stored. */
export function closeStream(w: Transaction, stream: StreamRow): void {
  w.sent.add(
    stream.unstored ? insertStreams(w.tx, w.projectId, [stream]) : saveStream(w.tx, w.projectId, stream),
  )
}

/** Bytes of the part that are kept: all of it, but for a torn line that is left to the next body. */
const lengthTaken = (nextOffset: number, at: number, part: Uint8Array, more: boolean): number =>
  more ? nextOffset - at : part.length

/** The stream the body belongs to: one that it agrees with, else a new one. */
async function findStream(
  w: Writing,
  body: IngestBody,
  named: NamedStream,
  offset: number,
  { candidates, anyTorn }: KnownStreams,
): Promise<{ stream: StreamRow; coveredEnd: number }> {
  for (const stream of candidates) {
    const { agrees, coveredEnd } = await compareWithHeld(w.tx, w.projectId, stream, body, offset)
    if (agrees) return { stream, coveredEnd }
  }
  const namedByPath = (adapterOf(body.kind).nameOf?.(body.fileName ?? null) ?? null) !== null
  if (candidates.length === 0 && offset === 0 && anyTorn && !namedByPath) {
    const torn = await adoptTorn(w.tx, w.projectId, w.source.id, body, named.streamId)
    if (torn)
      return {
        stream: torn,
        coveredEnd: (await compareWithHeld(w.tx, w.projectId, torn, body, 0)).coveredEnd,
      }
  }
  const variant = candidates.length > 0
  const streamId = variant ? await freeVariant(w, named.streamId, sha256(body.bytes)) : named.streamId
  const stream = newStream({
    sourceId: w.source.id,
    streamId,
    variantOf: variant ? named.streamId : null,
    kind: body.kind,
    fileName: body.fileName ?? null,
    context: startContext(body, named),
  })
  return { stream, coveredEnd: 0 }
}

/**
 * A name for what contradicts all streams of a name. It is made of the bytes by which it differs, so that the same file finds it whatever came first; a number
 * is behind it where that name is taken, by the same bytes at another offset or by whoever named a stream so. The lock of the name is held.
 */
async function freeVariant(w: Writing, name: string, digest: string): Promise<string> {
  const first = `${name}~${digest.slice(0, 12)}`
  const rows = await w.tx<
    {
      id: RowOf<'streams', 'stream_id'>['stream_id']
    }[]
  >`
    select stream_id as id from streams where project_id = ${w.projectId} and source_id = ${w.source.id}
      and (stream_id = ${first} or (stream_id >= ${`${first}-`} and stream_id < ${`${first}.`}))`
  const taken = new Set(rows.map(({ id }) => id))
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? first : `${first}-${n}`
    if (!taken.has(wanted)) return wanted
  }
}

const startContext = (body: IngestBody, named: NamedStream): unknown =>
  adapterOf(body.kind).start({
    fileName: body.fileName ?? null,
    ...named.said,
  })

async function waitForGap(
  w: Writing,
  stream: StreamRow,
  bytes: Uint8Array,
  offset: number,
  body: IngestBody,
): Promise<void> {
  const context = adapterOf(stream.kind).start({ fileName: body.fileName ?? null })
  let line = 0
  for (const span of splitBody(bytes, limits.partBytesTarget, limits.partLinesMax)) {
    const part = bytes.subarray(span.start, span.end)
    const at = offset + span.start
    const parsed = await parseArriving(stream.kind, {
      bytes: part,
      offset: at,
      context,
      redact: w.source.redact,
      final: true,
    })
    const [receivedId = ''] = await keepBytes(w.tx, w.projectId, [
      { bytes: parsed.kept, sha256: sha256(parsed.kept) },
    ])
    insertParts(w, [
      {
        streamRow: stream.id,
        offset: at,
        length: part.length,
        sha256: sha256(part),
        receivedId,
        state: 'pending',
        marks: parsed.marks,
        lines: parsed.lines,
      },
    ])
    const detail = oddDetailText({ id: 'bytes_missing', params: { from: stream.nextOffset, to: at } })
    const [known] =
      await w.tx`select 1 from odd_input where project_id = ${w.projectId} and stream_id = ${stream.id} and byte_offset = ${at} and reason = 'gap'`
    if (known) continue
    await storeOdd(w.tx, w.projectId, [
      { streamId: stream.id, executionId: null, receivedId, offset: at, reason: 'gap', detail },
    ])
    w.touched.odd.add({ offset: at, reason: 'gap', detail })
    line++
  }
  if (line === 0)
    w.touched.odd.add({
      offset,
      reason: 'gap',
      detail: oddDetailText({ id: 'bytes_missing', params: { from: stream.nextOffset, to: null } }),
    })
}

/** Records of the stream that begin in a range; of those that belong to no execution there is only a note. */
async function countHeld(
  { tx, projectId }: Writing,
  stream: StreamRow,
  from: number,
  to: number,
): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select (
      select count(*) from execution_streams x join events v on v.project_id = x.project_id and v.execution_id = x.execution_id and v.stream_id = x.stream_id
      where x.project_id = ${projectId} and x.stream_id = ${stream.id} and v.byte_offset >= ${from} and v.byte_offset < ${to})::int + (
      select count(*) from odd_input where project_id = ${projectId} and stream_id = ${stream.id} and execution_id is null and reason <> 'gap'
        and byte_offset >= ${from} and byte_offset < ${to})::int as n`
  return row!.n
}

/** A repetition names its executions too: the caller wants their addresses. */
async function touchHeld({ tx, projectId, touched }: Writing, stream: StreamRow): Promise<void> {
  const rows = await tx<
    (RowOf<'execution_keys', 'external_id' | 'source_id'> & {
      id: RowOf<'execution_keys', 'execution_id'>['execution_id']
    })[]
  >`
    select k.execution_id as id, k.external_id, k.source_id from execution_streams x
    join execution_keys k on k.project_id = x.project_id and k.execution_id = x.execution_id
    where x.project_id = ${projectId} and x.stream_id = ${stream.id}`
  for (const row of rows)
    touched.executions.set(row.id, {
      id: row.id,
      externalId: row.external_id,
      sourceId: row.source_id,
      isNew: false,
    })
}
