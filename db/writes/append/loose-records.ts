import { v7 } from 'uuid'
import { adapterOf } from '@/lib/formats/adapters'
import { digestOfBytes } from '@/lib/bytes/digest'
import type { InputChannel, NormalRecord } from '@/lib/model/normal-form'
import { receiptSpans } from '@/lib/formats/receipt/receipt-spans'
import { splitBody } from '@/lib/bytes/record-spans'
import { resolveExecutions } from './execution-ids'
import { lockNames, lockSessions } from '../../locks'
import { parseArriving, type FoldedPart } from '../receive/parse'
import { insertParts } from './insert-parts'
import { listBeside } from './receipt-neighbours'
import { storeApart } from './store-apart'
import { oddRow, storeOdd } from './store-records'
import { keepBytes } from '../../received-bytes'
import { sha256 } from '../../sha256'
import { note, touch, type Writing } from './writing'
import { freshEvent } from './fresh-events'
import type { RowOf } from '../../schema/rows'
import type { LooseKind } from '@/lib/model/ingest-kinds'

/** A hook frame or a receipt. */
interface Loose {
  streamId: string
  parsed: FoldedPart
  offset: number
  length: number
  sha256: string
  keptSha256: string
  /** Its arrival, if it has no time itself: what orders the frames of a session. */
  cameAt: string | null
}

/** Records that are stored together: what is held in memory at once. */
const LOOSE_AT_ONCE = 1000

const CHANNEL_OF = { 'claude-hook': 'hook', receipts: 'receipt' } as const satisfies Record<
  LooseKind,
  InputChannel
>

/**
 * Takes in hook frames, one a line, or receipts. Each is a stream of its own, named after its kept bytes: a frame that comes from the spool
 * after it was sent at once is the same frame, and such records have no order that could be got wrong. From receipts nothing is taken out:
 * they are signed as they are.
 *
 * @returns our ids of the streams that are new
 */
export async function writeLoose(w: Writing, kind: LooseKind, bytes: Uint8Array): Promise<string[]> {
  const written: string[] = []
  let batch: Loose[] = []
  let cameMs = Date.now()
  const adapter = adapterOf(kind)
  const redact = kind === 'claude-hook' && w.source.redact
  for (const span of kind === 'receipts' ? receiptSpans(bytes) : splitBody(bytes, 1)) {
    const line = bytes.subarray(span.start, span.end)
    const parsed = await parseArriving(kind, {
      bytes: line,
      offset: 0,
      context: adapter.start({}),
      redact,
      failureTag: w.failureTag,
      final: true,
    })
    if (parsed.records.length === 0) continue
    // Without the line end, which the spool adds and a single frame may lack.
    const { keptStart, keptEnd } = parsed.records[0]!
    const digest = digestOfBytes(parsed.kept.subarray(keptStart, keptEnd))
    const cameAt = parsed.records[0]!.at === null ? new Date(cameMs).toISOString() : null
    cameMs += 1 // frames of one body came in its order
    batch.push({
      streamId: `${CHANNEL_OF[kind]}-${digest}`,
      parsed: timed(parsed, cameAt),
      offset: span.start,
      length: line.length,
      sha256: sha256(line),
      keptSha256: sha256(parsed.kept),
      cameAt,
    })
    if (batch.length >= LOOSE_AT_ONCE) {
      written.push(...(await writeBatch(w, kind, batch)))
      batch = []
    }
  }
  written.push(...(await writeBatch(w, kind, batch)))
  return written
}

/** Gives records without a time of their own the time at which they came. */
export const timed = <P extends Pick<FoldedPart, 'records'>>(part: P, cameAt: string | null): P =>
  cameAt === null
    ? part
    : {
        ...part,
        records: part.records.map((record) => (record.at === null ? { ...record, at: cameAt } : record)),
      }

async function writeBatch(w: Writing, kind: LooseKind, frames: Loose[]): Promise<string[]> {
  const { tx, projectId, source, touched } = w
  const channel = CHANNEL_OF[kind]
  // Of two that come at once, the second has to see the first: together they leave a gap in their chain, or close it.
  if (kind === 'receipts')
    await lockNames(
      tx,
      frames.flatMap(({ parsed }) =>
        parsed.records.map(({ facts }) => `receipts ${projectId} ${facts.receipt?.chainId ?? ''}`),
      ),
    )
  const byName = new Map<string, Loose>()
  for (const frame of frames) if (!byName.has(frame.streamId)) byName.set(frame.streamId, frame)
  // Ids are in order of arrival; names are claimed in one order, so that two imports at once wait for each other instead of for ever.
  const idOf = new Map([...byName.keys()].map((name) => [name, v7()]))
  const names = [...byName.keys()].sort()
  const belonging = (frame: Loose): NormalRecord[] =>
    frame.parsed.records.filter((record) => !record.homeless)
  const keys = frames.flatMap((frame) => belonging(frame).map((record) => record.executionKey))
  // Before anything is looked up: the same record may be coming under another source at this moment.
  await lockSessions(
    tx,
    projectId,
    kind,
    keys.map((key) => key.split('/')[0]!),
  )
  // Frames of this name may lie under another source that the session is known by.
  const known = await tx<RowOf<'streams', 'stream_id'>[]>`
    select distinct t.stream_id from streams t join sources s on s.project_id = t.project_id and s.id = t.source_id
    where t.project_id = ${projectId} and t.stream_id = any (${names}::text[]) and s.kind = ${source.kind}`
  const held = new Set(known.map((row) => row.stream_id))
  const wanted = names.filter((name) => !held.has(name))
  const made =
    wanted.length === 0
      ? []
      : await tx<RowOf<'streams', 'id' | 'stream_id'>[]>`
    insert into streams (project_id, id, source_id, stream_id, kind, channel, next_offset, first_at)
    select ${projectId}, id, ${source.id}, stream_id, ${kind}, ${channel}, length, came_at
    from unnest(${wanted.map((name) => idOf.get(name)!)}::uuid[], ${wanted}::text[], ${wanted.map((name) => byName.get(name)!.length)}::bigint[],
      ${wanted.map((name) => byName.get(name)!.cameAt)}::timestamptz[]) n(id, stream_id, length, came_at)
    on conflict (project_id, source_id, stream_id) do nothing returning id, stream_id`
  const ids = new Map(made.map((row) => [row.stream_id, row.id]))
  const fresh = [...byName.values()].filter((frame) => ids.has(frame.streamId))
  touched.duplicates +=
    frames.reduce((n, frame) => n + frame.parsed.records.length, 0) -
    fresh.reduce((n, frame) => n + frame.parsed.records.length, 0)

  const received = await keepBytes(
    tx,
    projectId,
    fresh.map((frame) => ({ bytes: frame.parsed.kept, sha256: frame.keptSha256 })),
  )
  if (fresh.length > 0)
    insertParts(
      w,
      fresh.map((frame, i) => ({
        streamRow: ids.get(frame.streamId)!,
        offset: 0,
        length: frame.length,
        sha256: frame.sha256,
        receivedId: received[i]!,
        state: 'folded',
        marks: frame.parsed.marks,
        lines: frame.parsed.lines,
      })),
    )
  const refs = await resolveExecutions(tx, projectId, source, keys)
  const storedAs = await storeApart(
    w,
    fresh.flatMap((frame, i) =>
      belonging(frame).map((record) => ({
        executionId: refs.get(record.executionKey)!.id,
        streamId: ids.get(frame.streamId)!,
        receivedId: received[i]!,
        channel,
        offset: record.offset,
        record,
        marks: frame.parsed.marks,
      })),
    ),
  )
  const asStored = (record: NormalRecord): NormalRecord => storedAs.get(record) ?? record
  await storeOdd(
    tx,
    projectId,
    fresh.flatMap(({ streamId, parsed }, i) =>
      parsed.records
        .filter((record) => record.homeless)
        .map((record) =>
          oddRow({ streamId: ids.get(streamId)!, receivedId: received[i]!, offset: record.offset, record }),
        ),
    ),
  )
  for (const ref of refs.values()) touch(w, ref)
  if (kind === 'receipts')
    for (const id of await listBeside(tx, projectId, [...ids.values()])) touched.beside.add(id)
  for (const frame of fresh) {
    const { streamId, parsed, keptSha256 } = frame
    const from = { name: streamId, channel, received: keptSha256, marks: parsed.marks }
    for (const record of belonging(frame))
      w.fresh?.add(refs.get(record.executionKey)!.id, freshEvent(asStored(record), from))
  }
  for (const frame of fresh)
    note(
      touched,
      frame.parsed.records.map((record) => ({
        ...asStored(record),
        offset: frame.offset + record.offset,
      })),
    )
  return [...ids.values()]
}
