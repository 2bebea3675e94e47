import type { IngestAnswer, ReceiptConflict } from '@/lib/api/ingest-schemas'
import { isBlank } from '@/lib/bytes/lines'
import { splitBody } from '@/lib/bytes/record-spans'
import type { FixStore } from '../fixes/patch-reader'
import { transact, type OpenTransaction } from '../transaction'
import { listRivals } from '../queries/receipt-rivals'
import { answerFor, emptyAnswer } from './answer'
import { conclude } from './derive/conclude'
import { lockNames, lockSessions } from '../locks'
import { handOverPatches } from '../fixes/hand-over-patches'
import { refuseLargeDocument } from './receive/document-limit'
import { linesStandAlone, type IngestBody } from './receive/ingest-body'
import { writeLoose } from './append/loose-records'
import { chooseSource } from './receive/name-stream'
import { receiveBody, type ReceivedBody } from './receive/receive-body'
import { sha256 } from '../sha256'
import { hasTorn, readCandidates, streamLock, type StreamRow } from './append/streams'
import type { Analysed } from './derive/write-summary'
import { ArrivedParts, closeStream, writeStream } from './append/write-stream'
import { nothingTouched, type Touched, type Writing } from './append/writing'
import { FreshAnalyses } from './derive/fresh-analyses'
import { isLoose, type IngestKind, type LooseKind } from '@/lib/model/ingest-kinds'

/**
 * Takes in one body, in one transaction: all of it or nothing. The same bytes again, in any order and in any pieces, add nothing;
 * two bodies of one stream at once follow one another.
 *
 * @returns what was accepted, known already and odd, and the executions that were touched
 * @throws DocumentTooLargeError
 */
export async function ingestBody(db: FixStore, body: IngestBody): Promise<IngestAnswer> {
  const { kind, bytes } = body
  if (bytes.length === 0) return emptyAnswer(sha256(bytes), body.streamId ?? null)
  refuseLargeDocument(body)
  if (isLoose(kind))
    return answerFor(body, sha256(bytes), await transact(db, (open) => takeLoose(open, body, kind)))
  if (linesStandAlone(body))
    return answerFor(body, sha256(bytes), await transact(db, (open) => takeLines(open, body)))
  const received = await receiveBody(body)
  const [done] = await transact(db, (open) => takeTogether(open, [received]))
  await proposePatches(db, kind, [done!])
  return answerFor(body, received.originalSha256, done!)
}

export type Outcome = { answer: IngestAnswer } | { error: unknown }

/**
 * Takes in several bodies of one project and source that `mayShare`, with the same answers as one after the other, but in one transaction.
 * When that fails, each is tried by itself, so that one that cannot be taken does not keep the others out.
 */
export async function ingestBodies(db: FixStore, bodies: readonly IngestBody[]): Promise<Outcome[]> {
  if (bodies.length > 1) {
    try {
      const received = await Promise.all(bodies.map(receiveBody))
      // Of one stream the second body goes by what the first one left.
      if (new Set(received.map(({ name }) => name.streamId)).size === received.length) {
        const done = await transact(db, (open) => takeTogether(open, received))
        await proposePatches(db, bodies[0]!.kind, done)
        return received.map(({ body, originalSha256 }, i) => ({
          answer: answerFor(body, originalSha256, done[i]!),
        }))
      }
    } catch {
      // Reported below with the body it belongs to.
    }
  }
  const outcomes: Outcome[] = []
  for (const body of bodies)
    outcomes.push(
      await ingestBody(db, body).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      ),
    )
  return outcomes
}

/** Patches that lie with a run. What cannot be proposed stays noted: a background job tries again, and tells why it cannot. The bytes are kept whatever becomes of it. */
async function proposePatches(db: FixStore, kind: IngestKind, done: readonly Done[]): Promise<void> {
  if (kind !== 'async-pipeline') return
  const executionIds = done.flatMap(({ analysed }) => analysed.map(({ id }) => id))
  await handOverPatches(db, { executionIds })
}

interface Done {
  stream: StreamRow | null
  touched: Touched
  analysed: Analysed[]
  /** Of receipts. */
  conflicts?: ReceiptConflict[]
}

async function takeLoose(open: OpenTransaction, body: IngestBody, kind: LooseKind): Promise<Done> {
  const { tx } = open
  const source = await chooseSource(tx, body, null, null)
  const w = {
    ...open,
    projectId: body.projectId,
    source,
    failureTag: body.failureTag,
    touched: nothingTouched(),
    fresh: new FreshAnalyses(),
  }
  const written = await writeLoose(w, kind, body.bytes)
  const conflicts = kind === 'receipts' ? await listRivals(tx, body.projectId, written) : undefined
  const [analysed = []] = await conclude(w, [{ touched: w.touched, stream: null }], body.more ?? false)
  return { stream: null, touched: w.touched, analysed, conflicts }
}

/** Lines that are taken in together: what is held in memory at once. */
const LINES_AT_ONCE = 1000

/** Lines of which each is a stream of its own: what a file that is rewritten says again is known, wherever it is there now. */
async function takeLines(open: OpenTransaction, body: IngestBody): Promise<Done> {
  const touched = nothingTouched()
  const analysed = new Map<string, Analysed>()
  let batch = new Map<string, ReceivedBody & { start: number }>()
  const takeBatch = async (): Promise<void> => {
    const lines = [...batch.values()]
    batch = new Map()
    const done = lines.length === 0 ? [] : await takeTogether(open, lines)
    for (const [i, one] of done.entries()) {
      touched.accepted += one.touched.accepted
      touched.duplicates += one.touched.duplicates
      touched.odd.addAll(one.touched.odd, lines[i]!.start)
      for (const execution of one.analysed) analysed.set(execution.id, execution)
    }
  }
  for (const { start, end } of splitBody(body.bytes, 1)) {
    const bytes = body.bytes.subarray(start, end)
    if (isBlank(bytes, 0, bytes.length)) continue
    const line: IngestBody = { ...body, bytes, offset: 0, streamId: null, more: false }
    const received = await receiveBody(line)
    const { streamId } = received.name
    if (batch.has(streamId)) touched.duplicates++
    else batch.set(streamId, { ...received, start })
    if (batch.size >= LINES_AT_ONCE) await takeBatch()
  }
  await takeBatch()
  return { stream: null, touched, analysed: [...analysed.values()] }
}

/** One body of any kind but loose ones, or several that share. */
async function takeTogether(open: OpenTransaction, bodies: readonly ReceivedBody[]): Promise<Done[]> {
  const { tx } = open
  const { projectId, kind, more = false, othersFollow = false } = bodies[0]!.body
  const names = bodies.map(({ name }) => name.streamId)
  // Sent together. First the lock: one at a time for each name of a stream, whatever the source, which makes the choice of the source safe too.
  const [, , sources, candidates, tornAlready] = await Promise.all([
    lockNames(
      tx,
      names.map((name) => streamLock(projectId, name)),
    ),
    lockSessions(
      tx,
      projectId,
      kind,
      bodies.flatMap(({ name }) => name.sessionId ?? []),
    ),
    Promise.all(bodies.map(({ body, name }) => chooseSource(tx, body, name.streamId, name.sessionId))),
    readCandidates(tx, projectId, names),
    hasTorn(tx, projectId, kind),
  ])
  const shared = { ...open, projectId, fresh: new FreshAnalyses() }
  const arrived = new ArrivedParts()
  const done: { touched: Touched; stream: StreamRow }[] = []
  let anyTorn = tornAlready
  for (const [i, received] of bodies.entries()) {
    const { body, name } = received
    const w: Writing = {
      ...shared,
      source: sources[i]!,
      failureTag: body.failureTag,
      touched: nothingTouched(),
    }
    const known = {
      candidates: candidates.get(name.streamId)!.filter((stream) => stream.sourceId === w.source.id),
      anyTorn,
    }
    const stream = await writeStream(w, arrived, received, known)
    done.push({ touched: w.touched, stream })
    // A stream of which only a torn line has come may be the beginning of the next body.
    if (stream.nextOffset === 0) anyTorn = true
    if (anyTorn) await arrived.store()
  }
  await arrived.store()
  for (const { stream } of done) if (stream.isNew) closeStream(shared, stream)
  const analysed = await conclude(shared, done, more || othersFollow)
  return done.map((one, i) => ({ ...one, analysed: analysed[i]! }))
}
