import { adapterOf } from '@/lib/formats/adapters'
import { peekPart } from '@/lib/formats/peek-part'
import type { Sql, Tx } from '../client'
import type { SourceRef } from '../writes/receive/ensure-source'
import { lockNames } from '../locks'
import { foldPart } from '../writes/append/fold'
import { timed } from '../writes/append/loose-records'
import { parseKept } from '../writes/receive/parse'
import { jsonText } from '../json-text'
import { streamLock, type StreamRow } from '../writes/append/streams'
import { nothingTouched, type Writing } from '../writes/append/writing'
import { awaitSent, type OpenTransaction } from '../transaction'
import type { RowOf } from '../schema/rows'
import { isLoose, type IngestKind } from '@/lib/model/ingest-kinds'

export interface StreamSource extends StreamRow {
  projectId: string
  fileName: string | null
  /** Arrival of a hook frame without a time of its own. */
  cameAt: Date | string | null
  source: SourceRef
}

/** Streams with what is needed to build them anew. @param where of `streams t`, and in which order */
export const streamSources = async (sql: Sql | Tx, where: ReturnType<Sql>): Promise<StreamSource[]> => [
  ...(await sql<
    (RowOf<
      'streams',
      'projectId' | 'id' | 'sourceId' | 'streamId' | 'kind' | 'nextOffset' | 'context' | 'fileName'
    > & {
      cameAt: RowOf<'streams', 'first_at'>['first_at']
    } & { source: SourceRef })[]
  >`
  select t.project_id as "projectId", t.id, t.source_id as "sourceId", t.stream_id as "streamId", t.kind, t.next_offset as "nextOffset", t.context,
    t.file_name as "fileName", t.first_at as "cameAt", jsonb_build_object('id', s.id, 'kind', s.kind, 'name', s.name, 'redact', s.redact) as source
  from streams t join sources s on s.project_id = t.project_id and s.id = t.source_id where ${where}`),
]

/** The names by which an import locks its streams. */
export const streamLocks = (streams: readonly Pick<StreamSource, 'projectId' | 'streamId'>[]): string[] =>
  streams.map(({ projectId, streamId }) => streamLock(projectId, streamId))

/** Builds anew the events, executions and odd input of streams from their kept bytes. What is analysed is not. */
export async function rebuildStreams(
  { tx, apart }: Pick<OpenTransaction, 'tx' | 'apart'>,
  batch: readonly StreamSource[],
  failureTag: string | undefined,
): Promise<number> {
  // The same names that an import waits for: what arrives meanwhile comes before or after, never in between.
  await lockNames(tx, streamLocks(batch))
  await tx`set local inquest.rebuilding = 'on'`
  let records = 0
  for (const stream of batch)
    records += await awaitSent((sent) => rebuildStream({ tx, sent, apart }, stream, failureTag))
  return records
}

async function rebuildStream(
  open: OpenTransaction,
  { projectId, source, fileName, cameAt, ...stream }: StreamSource,
  failureTag: string | undefined,
): Promise<number> {
  const { tx } = open
  const w: Writing = { ...open, projectId, source, failureTag, touched: nothingTouched() }
  await tx`
    update executions set dirty = true where project_id = ${projectId} and id in (
      select execution_id from execution_streams where project_id = ${projectId} and stream_id = ${stream.id})`
  await tx`
    delete from events v using execution_streams x
    where x.project_id = ${projectId} and x.stream_id = ${stream.id} and v.project_id = x.project_id and v.execution_id = x.execution_id and v.stream_id = x.stream_id`
  await tx`delete from execution_streams where project_id = ${projectId} and stream_id = ${stream.id}`
  await tx`delete from odd_input where project_id = ${projectId} and stream_id = ${stream.id} and reason <> 'gap'`
  await tx`delete from receipts where project_id = ${projectId} and stream_id = ${stream.id}`
  const parts = await tx<RowOf<'stream_parts', 'id'>[]>`
    select id from stream_parts where project_id = ${projectId} and stream_id = ${stream.id} and state = 'folded' order by byte_offset, original_length, id`
  const state: StreamRow = { ...stream, nextOffset: 0, context: null }
  for (const { id } of parts)
    await refoldPart(w, state, id, {
      fileName,
      cameAt: cameAt === null ? null : new Date(cameAt).toISOString(),
    })
  await tx`
    update streams set next_offset = ${state.nextOffset}, context = ${jsonText(state.context)}::text::jsonb where project_id = ${projectId} and id = ${stream.id}`
  await w.sent.settle()
  // Not what was accepted on the way: a torn line that was completed came twice.
  const [held] = await tx<
    { n: number }[]
  >`select coalesce(sum(events), 0)::int as n from execution_streams where project_id = ${projectId} and stream_id = ${stream.id}`
  return held!.n
}

async function refoldPart(
  w: Writing,
  state: StreamRow,
  id: string,
  { fileName, cameAt }: { fileName: string | null; cameAt: string | null },
): Promise<void> {
  const [part] = await w.tx<
    (RowOf<'stream_parts', 'byte_offset' | 'received_id' | 'marks' | 'lines'> &
      RowOf<'received', 'sha256' | 'bytes'>)[]
  >`
    select p.byte_offset, p.received_id, r.sha256, p.marks, p.lines, r.bytes from stream_parts p
    join received r on r.project_id = p.project_id and r.id = p.received_id where p.project_id = ${w.projectId} and p.id = ${id}`
  if (!part) return
  if (part.byte_offset === 0) state.context = await startOf(state.kind, part.bytes, fileName)
  const before = state.context
  const parsed = timed(
    await parseKept(state.kind, {
      bytes: part.bytes,
      offset: part.byte_offset,
      context: before,
      lines: part.lines,
      failureTag: w.failureTag,
    }),
    cameAt,
  )
  await foldPart(
    w,
    state,
    { ...parsed, marks: part.marks, offset: part.byte_offset, before },
    { id: part.received_id, sha256: part.sha256 },
  )
}

/** The context that the first part was read with when it arrived. */
async function startOf(kind: IngestKind, bytes: Uint8Array, fileName: string | null): Promise<unknown> {
  const adapter = adapterOf(kind)
  if (isLoose(kind)) return adapter.start({})
  const { sessionId, agentId } = await peekPart(kind, bytes, fileName)
  return adapter.start({ fileName, sessionId, agentId })
}
