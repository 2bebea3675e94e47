import type { IngestAnswer } from '@/lib/api/schemas'
import { adapterOf } from '@/lib/ingest/adapters'
import type { IngestKind } from '@/lib/ingest/normal-form'
import { peekPart } from '@/lib/ingest/peek-part'
import { splitBody } from '@/lib/ingest/record-spans'
import { storable } from '@/lib/ingest/storable'
import { streamIdentity } from '@/lib/ingest/stream-identity'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import type { Db, Tx } from '../client'
import { enqueueAnalysis } from '../jobs/enqueue'
import { analyseIn, withRetry, type Analysed, type ExecutionTarget } from './analyse'
import { DEFAULT_SOURCE, CLAUDE_CODE, ensureSource, lockNames, type SourceRef } from './execution-ids'
import { foldPart, foldPending, FreshEvents, Sent, standingAfter, storePart, type Touched, type Writing } from './fold'
import { writeFrames } from './frames'
import { parseArriving } from './parse'
import { keepBytes, sha256, storeOdd } from './store-records'
import { adoptTorn, compareWithHeld, hasTorn, insertStream, newStream, readCandidates, saveStream, type StreamRow } from './streams'

export interface IngestBody {
  projectId: string
  /** Who produced the bytes; null when the caller does not say. */
  source: { kind: string; name: string } | null
  kind: IngestKind
  bytes: Uint8Array
  /** Path of the file below its root, with `/`. */
  fileName?: string | null
  /** Where the body begins in its stream; 0 unless told. */
  offset?: number
  /** Stream to go on with, as an earlier answer named it; found out from the bytes when it is not told. */
  streamId?: string | null
  /** More of this stream follows at once: a torn last line is left to the next body, and the analysis waits for the last one. */
  more?: boolean
}

/**
 * Takes in one body, in one transaction: all of it or nothing. The same bytes again, in any order and in any pieces, add nothing;
 * two bodies of one stream at once follow one another.
 *
 * @returns what was accepted, known already and odd, and the executions that were touched
 */
export async function ingestBody(db: Pick<Db, 'sql'>, body: IngestBody): Promise<IngestAnswer> {
  const originalSha256 = sha256(body.bytes)
  if (body.bytes.length === 0) return emptyAnswer(originalSha256, body.streamId ?? null)
  const prepared = body.kind === 'claude-hook' ? null : await nameStream(body)
  const done = await withRetry(db, async (tx) => {
    const touched: Touched = { executions: new Map(), accepted: 0, duplicates: 0, odd: [] }
    if (prepared === null) {
      const source = await chooseSource(tx, body, null, null)
      const w: Writing = { tx, projectId: body.projectId, source, touched, fresh: new FreshEvents(), sent: new Sent() }
      await writeFrames(w, body.bytes)
      return { stream: null, touched, analysed: await conclude(w, null, body.more ?? false) }
    }
    // Sent together. First the lock: one at a time for each name of a stream, whatever the source, which makes the choice of the source safe too.
    const [, source, candidates, anyTorn] = await Promise.all([
      lockNames(tx, [`stream ${body.projectId} ${prepared.streamId}`]),
      chooseSource(tx, body, prepared.streamId, prepared.sessionId),
      readCandidates(tx, body.projectId, prepared.streamId),
      hasTorn(tx, body.projectId, body.kind),
    ])
    const w: Writing = { tx, projectId: body.projectId, source, touched, fresh: new FreshEvents(), sent: new Sent() }
    const known = { candidates: candidates.filter((stream) => stream.sourceId === source.id), anyTorn }
    const stream = await writeStream(w, body, prepared, originalSha256, known)
    return { stream, touched, analysed: await conclude(w, stream, body.more ?? false) }
  })
  return answerFor(body, originalSha256, done)
}

interface NamedStream {
  streamId: string
  sessionId: string | null
  agentId: string | null
}

async function nameStream({ kind, bytes, fileName, streamId, offset }: IngestBody): Promise<NamedStream> {
  // A later piece begins somewhere inside: its first record names another stream, so the caller has to.
  const peek = await peekPart(kind, bytes, fileName)
  if (streamId) return { streamId: storable(streamId), sessionId: peek.sessionId, agentId: peek.agentId }
  if (offset) throw new MissingStreamError()
  return { streamId: streamIdentity({ kind, ...peek }), sessionId: peek.sessionId, agentId: peek.agentId }
}

/** An offset was told, but not which stream it is an offset in. */
export class MissingStreamError extends Error {
  override name = 'MissingStreamError'
  constructor() {
    super('A body that begins inside of a stream must name the stream, as the answer to the first piece does')
  }
}

/**
 * The source that is told; without one, that under which the stream or the session is known already, else the default one.
 */
async function chooseSource(tx: Tx, body: IngestBody, streamId: string | null, sessionId: string | null): Promise<SourceRef> {
  const { projectId, source } = body
  const told = source !== null && !(source.kind === CLAUDE_CODE && source.name === DEFAULT_SOURCE) ? source : null
  const kind = told?.kind ?? CLAUDE_CODE
  const [known] = await tx<SourceRef[]>`
    select id, kind, name, redact from (
      select s.id, s.kind, s.name, s.redact, 0 as rank, t.id as first from streams t join sources s on s.project_id = t.project_id and s.id = t.source_id
      where t.project_id = ${projectId} and t.stream_id = ${streamId} and s.kind = ${kind}
      union all
      select s.id, s.kind, s.name, s.redact, 1, k.execution_id from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
      where k.project_id = ${projectId} and k.external_id = ${sessionId} and s.kind = ${kind}) known
    where ${told === null} or name = ${told?.name ?? null} or (rank = 0 and name = ${DEFAULT_SOURCE})
    order by (name = ${told?.name ?? null}) desc nulls last, rank, first limit 1`
  return known ?? ensureSource(tx, projectId, kind, told?.name ?? DEFAULT_SOURCE)
}

interface KnownStreams {
  candidates: StreamRow[]
  anyTorn: boolean
}

async function writeStream(w: Writing, body: IngestBody, named: NamedStream, bodySha256: string, known: KnownStreams): Promise<StreamRow> {
  const { bytes } = body
  const offset = body.offset ?? 0
  const { stream, coveredEnd } = await findStream(w, body, named, offset, known)
  const end = offset + bytes.length
  if (end <= Math.max(coveredEnd, stream.nextOffset)) {
    w.touched.duplicates += await countHeld(w, stream, offset, end)
    await touchHeld(w, stream)
    return stream
  }
  if (offset > stream.nextOffset) {
    if (stream.unstored) await insertStream(w.tx, w.projectId, stream, stream)
    await waitForGap(w, stream, bytes, offset, body)
    return stream
  }
  if (stream.nextOffset > offset) w.touched.duplicates += await countHeld(w, stream, offset, stream.nextOffset)
  const first = stream.nextOffset
  // Pieces may have come out of order: what the stream says of itself stands at its beginning.
  if (first === 0) stream.context = startContext(body, named)
  const tail = bytes.subarray(first - offset)
  for (const span of splitBody(tail, limits.partBytesTarget)) {
    const at = first + span.start
    // A part that ended inside of a line was not the last one after all: only the last part may be torn.
    const last = span.end === tail.length
    const part = tail.subarray(span.start, span.end)
    const before = stream.context
    const parsed = await parseArriving(stream.kind, { bytes: part, offset: at, context: before, redact: w.source.redact, final: !(last && (body.more ?? false)) })
    const taken = parsed.kept.length === 0 && parsed.records.length === 0 ? 0 : lengthTaken(parsed.nextOffset, at, part, body.more ?? false)
    const whole = { ...parsed, offset: at, before }
    if (stream.unstored) w.sent.add(insertStream(w.tx, w.projectId, stream, taken > 0 ? standingAfter(whole) : stream))
    if (taken > 0) {
      const original = part.subarray(0, taken)
      const originalSha256 = original.length === bytes.length ? bodySha256 : sha256(original)
      // Where nothing was taken out, what is kept is what came.
      const keptSha256 = parsed.marks.length === 0 && parsed.kept.length === original.length ? originalSha256 : sha256(parsed.kept)
      const receivedId = await keepBytes(w.tx, w.projectId, parsed.kept, keptSha256)
      storePart(w, stream, {
        offset: at, length: taken, sha256: originalSha256, receivedId, state: 'folded', marks: parsed.marks, lines: parsed.lines,
      })
      await foldPart(w, stream, { ...whole, receivedId, keptSha256 })
    }
  }
  if (!stream.isNew) await foldPending(w, stream)
  w.sent.add(saveStream(w.tx, w.projectId, stream))
  return stream
}

/** Bytes of the part that are kept: all of it, but for a torn line that is left to the next body. */
const lengthTaken = (nextOffset: number, at: number, part: Uint8Array, more: boolean): number => (more ? nextOffset - at : part.length)

/** The stream the body belongs to: one that it agrees with, else a new one. */
async function findStream(w: Writing, body: IngestBody, named: NamedStream, offset: number, { candidates, anyTorn }: KnownStreams): Promise<{ stream: StreamRow; coveredEnd: number }> {
  for (const stream of candidates) {
    const { agrees, coveredEnd } = await compareWithHeld(w.tx, w.projectId, stream, body.bytes, offset)
    if (agrees) return { stream, coveredEnd }
  }
  if (candidates.length === 0 && offset === 0 && anyTorn) {
    const torn = await adoptTorn(w.tx, w.projectId, w.source.id, body.kind, body.bytes, named.streamId)
    if (torn) return { stream: torn, coveredEnd: (await compareWithHeld(w.tx, w.projectId, torn, body.bytes, 0)).coveredEnd }
  }
  const variant = candidates.length > 0
  // The name of a variant is made of the bytes by which it differs, so that the same file finds it whatever came first.
  const streamId = variant ? `${named.streamId}~${sha256(body.bytes).slice(0, 12)}` : named.streamId
  const stream = newStream({
    sourceId: w.source.id, streamId, variantOf: variant ? named.streamId : null, kind: body.kind, fileName: body.fileName ?? null, context: startContext(body, named),
  })
  return { stream, coveredEnd: 0 }
}

const startContext = (body: IngestBody, named: NamedStream): unknown =>
  adapterOf(body.kind).start({ fileName: body.fileName ?? null, sessionId: named.sessionId, agentId: named.agentId })

async function waitForGap(w: Writing, stream: StreamRow, bytes: Uint8Array, offset: number, body: IngestBody): Promise<void> {
  const context = adapterOf(stream.kind).start({ fileName: body.fileName ?? null })
  let line = 0
  for (const span of splitBody(bytes, limits.partBytesTarget)) {
    const part = bytes.subarray(span.start, span.end)
    const at = offset + span.start
    const parsed = await parseArriving(stream.kind, { bytes: part, offset: at, context, redact: w.source.redact, final: true })
    const receivedId = await keepBytes(w.tx, w.projectId, parsed.kept, sha256(parsed.kept))
    storePart(w, stream, { offset: at, length: part.length, sha256: sha256(part), receivedId, state: 'pending', marks: parsed.marks, lines: parsed.lines })
    const detail = `kept, waits for the bytes from ${stream.nextOffset} to ${at}`
    const [known] = await w.tx`select 1 from odd_input where project_id = ${w.projectId} and stream_id = ${stream.id} and byte_offset = ${at} and reason = 'gap'`
    if (known) continue
    await storeOdd(w.tx, w.projectId, [{ streamId: stream.id, executionId: null, receivedId, offset: at, reason: 'gap', detail }])
    w.touched.odd.push({ offset: at, reason: 'gap', detail })
    line++
  }
  if (line === 0) w.touched.odd.push({ offset, reason: 'gap', detail: `kept already, waits for the bytes from ${stream.nextOffset}` })
}

/** Records of the stream that begin in a range. */
async function countHeld({ tx, projectId }: Writing, stream: StreamRow, from: number, to: number): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from execution_streams x
    join events v on v.project_id = x.project_id and v.execution_id = x.execution_id and v.stream_id = x.stream_id
    where x.project_id = ${projectId} and x.stream_id = ${stream.id} and v.byte_offset >= ${from} and v.byte_offset < ${to}`
  return row!.n
}

/** A repetition names its executions too: the caller wants their addresses. */
async function touchHeld({ tx, projectId, touched }: Writing, stream: StreamRow): Promise<void> {
  const rows = await tx<{ id: string; external_id: string; source_id: string }[]>`
    select k.execution_id as id, k.external_id, k.source_id from execution_streams x
    join execution_keys k on k.project_id = x.project_id and k.execution_id = x.execution_id
    where x.project_id = ${projectId} and x.stream_id = ${stream.id}`
  for (const row of rows) touched.executions.set(row.id, { id: row.id, externalId: row.external_id, sourceId: row.source_id, isNew: false })
}

/** Ends the transaction's work: analysis of what was touched, or a note that it is due. */
async function conclude(w: Writing, stream: StreamRow | null, more: boolean): Promise<Analysed[]> {
  const { tx, projectId, touched } = w
  const targets = new Map<string, ExecutionTarget>([...touched.executions.values()].map((ref) => [ref.id, ref]))
  if (stream && !stream.isNew && !more) {
    const due = await tx<{ id: string; externalId: string; sourceId: string }[]>`
      select e.id, e.external_id as "externalId", e.source_id as "sourceId" from execution_streams x
      join executions e on e.project_id = x.project_id and e.id = x.execution_id
      where x.project_id = ${projectId} and x.stream_id = ${stream.id} and e.dirty`
    for (const row of due) targets.set(row.id, row)
  }
  const ids = [...targets.keys()]
  // One that this transaction made has no row yet.
  const held = ids.filter((id) => touched.executions.get(id)?.isNew !== true)
  const known = held.length === 0 ? [] : await tx<{ id: string; outcome: string; dirty: boolean; parent_key: string | null }[]>`
    select id, outcome, dirty, parent_key from executions where project_id = ${projectId} and id = any (${held}::uuid[])`
  const rows = new Map(known.map((row) => [row.id, row]))
  // Executions seen for the first time are analysed at once even when more follows: there must be something to show.
  const nothingNew = touched.accepted === 0 && touched.odd.length === 0
  const now = ids.filter((id) => !rows.has(id) || (!more && (!nothingNew || rows.get(id)!.dirty)))
  const later = ids.filter((id) => !now.includes(id) && !nothingNew)
  if (later.length > 0) {
    await tx`update executions set dirty = true, updated_at = now() where project_id = ${projectId} and id = any (${later}::uuid[])`
    await enqueueAnalysis(tx, `${projectId} ${stream?.id ?? 'frames'}`)
  }
  // A child and its parent may arrive at the same time: whoever comes second must see the first.
  const parents = now.flatMap((id) => {
    const { externalId } = targets.get(id)!
    const session = externalId.split('/')[0]!
    return [rows.get(id)?.parent_key ?? null, session === externalId ? null : session].filter((key) => key !== null)
  })
  const analysed = now.length === 0 ? [] : await analyseIn(tx, projectId, now.map((id) => targets.get(id)!), parents, w.fresh)
  await w.sent.settle()
  const byId = new Map(analysed.map((a) => [a.id, a]))
  return ids.map((id) => byId.get(id) ?? { id, externalId: targets.get(id)!.externalId, outcome: rows.get(id)?.outcome ?? 'unknown', changed: false })
}

const emptyAnswer = (originalSha256: string, streamId: string | null): IngestAnswer => ({
  accepted: 0,
  duplicates: 0,
  odd: [{ line: null, byteStart: 0, reason: 'empty_input', detail: 'the body holds no bytes' }],
  oddTotal: 1,
  executions: [],
  streamId,
  nextOffset: null,
  originalSha256,
})

function answerFor(body: IngestBody, originalSha256: string, done: { stream: StreamRow | null; touched: Touched; analysed: Analysed[] }): IngestAnswer {
  const { stream, touched, analysed } = done
  const odd = touched.odd.sort((a, b) => a.offset - b.offset)
  const lineOf = lineCounter(body.bytes, stream ? (body.offset ?? 0) : 0)
  return {
    accepted: touched.accepted,
    duplicates: touched.duplicates,
    odd: odd.slice(0, limits.oddListedMax).map((o) => ({ line: lineOf(o.offset), byteStart: o.offset, reason: o.reason, detail: o.detail })),
    oddTotal: odd.length,
    executions: analysed.flatMap(({ id, externalId, outcome }) => (outcome === null ? [] : [{ id, externalId, outcome, url: links.execution(id) }])),
    streamId: stream?.streamId ?? null,
    nextOffset: stream?.nextOffset ?? null,
    originalSha256,
  }
}

/** 1-based lines of the body by ascending offset; null for an offset that does not lie in it. */
function lineCounter(bytes: Uint8Array, start: number): (offset: number) => number | null {
  let line = 1
  let at = 0
  return (offset) => {
    const target = offset - start
    if (target < 0 || target > bytes.length) return null
    for (let next = bytes.indexOf(10, at); next !== -1 && next < target; next = bytes.indexOf(10, at)) {
      line++
      at = next + 1
    }
    return line
  }
}
