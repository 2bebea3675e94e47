import { v7 } from 'uuid'
import { adapterOf } from '@/lib/ingest/adapters'
import { storableDeep } from '@/lib/ingest/storable'
import type { AnalysedEvent } from '@/lib/executions/summary'
import type { Door, NormalRecord, ParsedPart, RedactionMark } from '@/lib/ingest/normal-form'
import type { Tx } from '../client'
import { resolveExecutions, type ExecutionRef, type SourceRef } from './execution-ids'
import { parseKept, type LineMap } from './parse'
import { marksWithin, storeEvents } from './store-records'
import type { StreamRow } from './streams'

/** What a transaction has touched so far; the analysis at its end goes by it. */
export interface Touched {
  executions: Map<string, ExecutionRef>
  accepted: number
  duplicates: number
  odd: { offset: number; reason: string; detail: string }[]
}

export interface Writing {
  tx: Tx
  projectId: string
  source: SourceRef
  touched: Touched
  /** Events of executions that this transaction made, as the analysis reads them: they need not be read back. */
  fresh?: FreshEvents
  /** Statements that were sent and not waited for, so that the next ones go along with them; `settle` before the end. */
  sent: Sent
}

/**
 * Statements on their way: each is sent by `execute()`, because one that is only awaited leaves a little later, after others that
 * were sent behind it. The server works them off in order, and one that fails ends the transaction with its own error
 * (postgres.js keeps the first one), so only the end has to wait for all of them.
 */
export class Sent {
  private readonly statements: Promise<unknown>[] = []

  add(statement: Promise<unknown>): void {
    // Sent at once, and heard of at the end.
    statement.catch(() => {})
    this.statements.push(statement)
  }

  async settle(): Promise<void> {
    await Promise.all(this.statements.splice(0))
  }
}

export interface FreshEvent {
  event: AnalysedEvent
  redactions: number
}

/** More events than this are read back after all: memory is bounded by a part, not by a body. */
const FRESH_MAX = 10_000

/** Holds the events of new executions while they are few. */
export class FreshEvents {
  private readonly held = new Map<string, FreshEvent[]>()
  private count = 0

  add(executionId: string, event: FreshEvent): void {
    if (++this.count > FRESH_MAX) return this.held.clear()
    const list = this.held.get(executionId)
    if (list) list.push(event)
    else this.held.set(executionId, [event])
  }

  /** All events of the execution; null when they are not all here. */
  of(executionId: string): readonly FreshEvent[] | null {
    return this.count > FRESH_MAX ? null : (this.held.get(executionId) ?? null)
  }
}

/**
 * Folds one parsed part into its stream: events for what is new, nothing for what is there already, and away with the torn line that it
 * completes. The stream then stands at the part's `nextOffset`.
 *
 * @param part.before context the part was read with: it stays when the part has to be read again from its beginning
 */
export async function foldPart(w: Writing, stream: StreamRow, part: ParsedPart<unknown> & { offset: number; receivedId: string; keptSha256: string; before: unknown }): Promise<void> {
  const { tx, projectId } = w
  const held = stream.isNew && part.offset === 0 ? new Map<number, HeldRecord>() : await readHeld(w, stream, part.offset)
  const torn = [...held].filter(([, row]) => row.torn)
  const fresh = part.records.filter((record) => {
    const known = held.get(record.offset)
    return !known || (known.torn && !(record.oddReason === 'torn_line' && record.length === known.length))
  })
  const replaced = torn.filter(([offset]) => fresh.some((record) => record.offset === offset))
  for (const [offset, row] of replaced) await removeTorn(w, stream, row.executionId, offset)

  const refs = await resolveExecutions(tx, projectId, w.source, fresh.map((record) => record.executionKey))
  // Only where this part's bytes say something new does the received part become a source of events.
  const door = adapterOf(stream.kind).door
  await storeEvents(
    tx,
    projectId,
    fresh.map((record) => ({ executionId: refs.get(record.executionKey)!.id, streamId: stream.id, receivedId: part.receivedId, door, offset: record.offset, record })),
    () => part.marks,
    w.sent,
  )
  for (const ref of refs.values()) touch(w.touched, ref)
  note(w.touched, fresh)
  for (const record of fresh) {
    const { id } = refs.get(record.executionKey)!
    if (w.touched.executions.get(id)?.isNew) w.fresh?.add(id, freshEvent(record, stream.streamId, door, part.keptSha256, part.marks))
  }
  w.touched.duplicates += part.records.length - fresh.length
  Object.assign(stream, standingAfter(part))
}

/** Where the stream stands after a part, as it will be read back, so that it goes on alike after a pause and without one. */
export const standingAfter = (part: ParsedPart<unknown> & { offset: number; before: unknown }): { nextOffset: number; context: unknown } => ({
  nextOffset: part.nextOffset,
  context: part.nextOffset === part.offset ? part.before : storableDeep(part.context),
})

/** As it would be read back. */
export const freshEvent = (record: NormalRecord, streamId: string, door: Door, received: string, marks: readonly RedactionMark[]): FreshEvent => ({
  redactions: marksWithin(marks, record.keptStart, record.keptEnd),
  event: {
    streamId, door, received, offset: record.offset, identity: record.identity, kind: record.kind, at: record.at, keptStart: record.keptStart, keptEnd: record.keptEnd,
    ...(record.oddReason === undefined ? {} : { oddReason: record.oddReason }), facts: record.facts,
  },
})

export function touch(touched: Touched, ref: ExecutionRef): void {
  const known = touched.executions.get(ref.id)
  touched.executions.set(ref.id, { ...ref, isNew: ref.isNew || known?.isNew === true })
}

export function note(touched: Touched, records: readonly NormalRecord[]): void {
  touched.accepted += records.length
  for (const record of records) if (record.oddReason) touched.odd.push({ offset: record.offset, reason: record.oddReason, detail: record.oddDetail ?? '' })
}

interface HeldRecord {
  executionId: string
  torn: boolean
  length: number
}

/** Events of the stream from an offset on: few, because parts are folded where the stream ends. */
async function readHeld({ tx, projectId }: Writing, stream: StreamRow, from: number): Promise<Map<number, HeldRecord>> {
  const rows = await tx<{ byte_offset: number; execution_id: string; torn: boolean; length: number }[]>`
    select v.byte_offset, v.execution_id, v.odd_reason is not distinct from 'torn_line' as torn, v.length from execution_streams x
    join events v on v.project_id = x.project_id and v.execution_id = x.execution_id and v.stream_id = x.stream_id
    where x.project_id = ${projectId} and x.stream_id = ${stream.id} and v.byte_offset >= ${from}`
  return new Map(rows.map((row) => [row.byte_offset, { executionId: row.execution_id, torn: row.torn, length: row.length }]))
}

async function removeTorn({ tx, projectId, touched }: Writing, stream: StreamRow, executionId: string, offset: number): Promise<void> {
  const [gone] = await tx<{ received_id: string; kept_start: number; kept_end: number }[]>`
    delete from events where project_id = ${projectId} and execution_id = ${executionId} and stream_id = ${stream.id} and byte_offset = ${offset} and odd_reason = 'torn_line'
    returning received_id, kept_start, kept_end`
  await tx`delete from odd_input where project_id = ${projectId} and stream_id = ${stream.id} and byte_offset = ${offset} and reason = 'torn_line'`
  const [part] = await tx<{ marks: RedactionMark[] }[]>`
    select marks from stream_parts where project_id = ${projectId} and stream_id = ${stream.id} and received_id = ${gone!.received_id} limit 1`
  const redactions = marksWithin(part?.marks ?? [], gone!.kept_start, gone!.kept_end)
  await tx`
    update execution_streams set events = events - 1, redactions = redactions - ${redactions}
    where project_id = ${projectId} and execution_id = ${executionId} and stream_id = ${stream.id}`
  const [row] = await tx<{ external_id: string; source_id: string }[]>`
    select external_id, source_id from execution_keys where project_id = ${projectId} and execution_id = ${executionId}`
  if (row) touch(touched, { id: executionId, externalId: row.external_id, sourceId: row.source_id, isNew: false })
}

export interface StoredPart {
  offset: number
  length: number
  sha256: string
  receivedId: string
  state: 'folded' | 'pending'
  marks: readonly RedactionMark[]
  lines: LineMap | null
}

/** Notes that bytes belong to a stream. */
export function storePart({ tx, projectId, sent }: Writing, stream: StreamRow, part: StoredPart): void {
  sent.add(tx`
    insert into stream_parts (project_id, id, stream_id, byte_offset, original_length, original_sha256, received_id, state, marks, lines)
    values (${projectId}, ${v7()}, ${stream.id}, ${part.offset}, ${part.length}, ${part.sha256}, ${part.receivedId}, ${part.state},
      ${JSON.stringify(part.marks)}::text::jsonb, ${part.lines === null ? null : JSON.stringify(part.lines)}::text::jsonb)
    on conflict (project_id, stream_id, byte_offset, original_sha256) do nothing`.execute())
}

/** Folds the parts that waited for a gap to close, one after the other, as long as they follow on. */
export async function foldPending(w: Writing, stream: StreamRow): Promise<void> {
  const { tx, projectId } = w
  for (;;) {
    const [next] = await tx<{ id: string; byte_offset: number; original_length: number; received_id: string; sha256: string; marks: RedactionMark[]; lines: LineMap | null; bytes: Uint8Array }[]>`
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
    const parsed = await parseKept(stream.kind, { bytes: next.bytes, offset: next.byte_offset, context: before, lines: next.lines })
    await foldPart(w, stream, { ...parsed, marks: next.marks, offset: next.byte_offset, receivedId: next.received_id, keptSha256: next.sha256, before })
  }
}
