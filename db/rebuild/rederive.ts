import type { LayerState } from '@/lib/model/parity'
import type { LayerInput } from '@/lib/judge/parity/layers'
import { limits } from '@/lib/limits'
import type { Db, Tx } from '../client'
import { readRunDocument, type StoredRun } from '../queries/run-document'
import { analyseIn } from '../writes/derive/analyse'
import { executionLocks, lockExecutions, lockNames } from '../locks'
import { giveWay, InTheWay } from '../give-way'
import { tryLocks } from '../locks'
import { rebuildStreams, streamLocks, streamSources } from './rebuild-streams'
import type { ExecutionTarget } from '../writes/derive/write-summary'
import type { RowOf } from '../schema/rows'

/** The layers of what is stored. */
export interface StoredLayers {
  projectId: string
  /** The version of the execution that was read. */
  version: number
  /** `source`: what the kept bytes give now; `persisted`: the rows as they are. */
  layers: LayerInput[]
  /** The same two layers as the source writes an execution, where it writes documents; null: it does not. */
  document: { source: StoredRun; persisted: StoredRun } | null
  /** Digests of kept parts whose bytes are not those that were kept; where there are any, `source` cannot be read. */
  changedParts: string[]
}

/** Ends a transaction of which nothing is to stay. */
class Undo extends Error {}

/**
 * Reads an execution twice: its rows, and the rows that its kept bytes give now, which are made in a transaction that is taken back. Readers see
 * nothing of it; an import of the same streams waits for its end. Null when there is no such execution.
 *
 * @param o.givesWay nobody waits for this check: it does not begin while others work on the execution, and is broken off as soon as one waits for it, or by
 *                   this signal
 * @throws InTheWay when it gave way
 * @see docs/decisions/0017-rederive.md
 */
export async function readStoredLayers(
  db: Pick<Db, 'sql'>,
  projectIds: readonly string[],
  executionId: string,
  failureTag?: string,
  { givesWay }: { givesWay?: AbortSignal } = {},
): Promise<StoredLayers | null> {
  for (;;) {
    let found: StoredLayers | null = null
    const read = (tx: Tx) => async (): Promise<void> => {
      const held = await holdStill(tx, projectIds, executionId, givesWay !== undefined)
      if (held)
        found = {
          projectId: held.target.projectId,
          version: held.target.version,
          ...(await readBoth(tx, held, failureTag)),
        }
    }
    try {
      await db.sql.begin(async (tx) => {
        await (givesWay ? giveWay(db, tx, givesWay, read(tx)) : read(tx)())
        throw new Undo()
      })
    } catch (error) {
      if (error instanceof Undo) return found
      if (!(error instanceof MovedOn)) throw error
    }
  }
}

type Target = ExecutionTarget & {
  projectId: string
  parentKey: string | null
  records: number
  dirty: boolean
  version: number
}
type BothLayers = Omit<StoredLayers, 'projectId' | 'version'>
type Streams = Awaited<ReturnType<typeof streamSources>>

interface Held {
  target: Target
  streams: Streams
  parentKeys: string[]
}

/** A stream came to the execution while its locks were waited for. */
class MovedOn extends Error {}

/**
 * Keeps imports out before anything is read: what one of them added between two readings would look like a difference. The locks are those of an import,
 * in its order.
 */
async function holdStill(
  tx: Tx,
  projectIds: readonly string[],
  executionId: string,
  givesWay: boolean,
): Promise<Held | null> {
  const readTarget = async (): Promise<Target | undefined> =>
    (
      await tx<
        (RowOf<
          'executions',
          'projectId' | 'id' | 'externalId' | 'sourceId' | 'parentKey' | 'records' | 'version'
        > &
          Pick<Target, 'dirty'>)[]
      >`
    select project_id as "projectId", id, external_id as "externalId", source_id as "sourceId", parent_key as "parentKey", records, dirty or analysis_failure is not null as dirty, version from executions
    where project_id = any (${projectIds as string[]}::uuid[]) and id = ${executionId}`
    )[0]
  const readStreams = (projectId: string): Promise<Streams> =>
    streamSources(
      tx,
      tx`t.project_id = ${projectId} and t.id in (
    select stream_id from execution_streams where project_id = ${projectId} and execution_id = ${executionId}) order by t.id`,
    )
  const before = await readTarget()
  if (!before) return null
  const { projectId, externalId, parentKey } = before
  const known = streamLocks(await readStreams(projectId))
  const parentKeys = parentKey === null ? [] : [parentKey]
  if (givesWay) {
    if (!(await tryLocks(tx, [...known, ...executionLocks(projectId, [externalId, ...parentKeys])])))
      throw new InTheWay()
  } else {
    await lockNames(tx, known)
    await lockExecutions(tx, projectId, [externalId, ...parentKeys])
  }
  const [target, streams] = [await readTarget(), await readStreams(projectId)]
  if (!target) return null
  if (target.parentKey !== parentKey || streamLocks(streams).some((name) => !known.includes(name)))
    throw new MovedOn()
  return { target, streams, parentKeys }
}

async function readBoth(
  tx: Tx,
  { target: { projectId, records, dirty, ...target }, streams, parentKeys }: Held,
  failureTag: string | undefined,
): Promise<BothLayers> {
  const { id } = target
  const parts = await readParts(
    tx,
    projectId,
    streams.map((stream) => stream.id),
  )
  const changedParts = parts.flatMap(({ sha256, isKept }) => (isKept ? [] : [sha256]))
  // So many rows are not even read: what they say could not be compared.
  const persisted: LayerInput =
    records > limits.rederiveRecordsMax
      ? { layer: 'persisted', text: null, state: 'skipped_too_large' }
      : { layer: 'persisted', text: await readRows(tx, projectId, id) }
  const run = await readRunDocument(tx, projectId, id, false)
  const documentOf = (state: Exclude<LayerState, 'read'>): StoredLayers['document'] =>
    run && { source: { state }, persisted: run }
  // Something has come that the rows are still to be brought up to.
  if (dirty)
    return {
      document: documentOf('incomplete'),
      layers: [
        { layer: 'source', text: null, state: 'incomplete' },
        { ...persisted, state: persisted.state ?? 'incomplete' },
      ],
      changedParts,
    }
  const source = (state: Exclude<LayerState, 'read'>): BothLayers => ({
    document: documentOf(state),
    layers: [{ layer: 'source', text: null, state }, persisted],
    changedParts,
  })
  if (changedParts.length > 0) return source('unreadable')
  // Nor is what could not be compared derived: all the work would be for a layer that is left out.
  const isTooLarge =
    persisted.text === null ||
    persisted.text.length > limits.parityBytesMax ||
    parts.reduce((sum, { bytes }) => sum + bytes, 0) > limits.rederiveBytesMax
  if (isTooLarge) return source('skipped_too_large')
  await rebuildStreams({ tx, apart: true }, streams, failureTag)
  // Or an analysis that comes to what it came to last would leave the rows as they are.
  await tx`update executions set digest = '' where project_id = ${projectId} and id = ${id}`
  await analyseIn(tx, projectId, [target], parentKeys)
  const again = await readRunDocument(tx, projectId, id, true)
  return {
    layers: [{ layer: 'source', text: await readRows(tx, projectId, id) }, persisted],
    changedParts,
    document: again && { source: again, persisted: run ?? { state: 'not_captured' } },
  }
}

/** The kept parts of streams, each with whether its bytes still have the digest under which they were kept. */
async function readParts(
  tx: Tx,
  projectId: string,
  streamIds: string[],
): Promise<{ sha256: string; bytes: number; isKept: boolean }[]> {
  return [
    ...(await tx<
      (RowOf<'received', 'sha256'> & {
        bytes: number
        isKept: boolean
      })[]
    >`
    select r.sha256, length(r.bytes) as bytes, encode(sha256(r.bytes), 'hex') = r.sha256 as "isKept" from received r
    where r.project_id = ${projectId} and r.id in (select received_id from stream_parts where project_id = ${projectId} and stream_id = any (${streamIds}::uuid[]))
    order by r.id`),
  ]
}

/** Columns about the row, not the execution: when it was written, how often, and what is made of the others. */
const OF_THE_ROW = [
  'project_id',
  'version',
  'updated_at',
  'first_seen_at',
  'dirty',
  'digest',
  'search',
  'analysis_failure',
]

/** What is derived of an execution, as one document with every digit. Rows have an `id` if two columns identify them. */
async function readRows(tx: Tx, projectId: string, id: string): Promise<string> {
  const own = tx`project_id = ${projectId} and execution_id = ${id}`
  const [row] = await tx<{ text: string }[]>`
    select jsonb_build_object(
      'execution', (select to_jsonb(e) - ${OF_THE_ROW}::text[] from executions e where e.project_id = ${projectId} and e.id = ${id}),
      'events', (select coalesce(jsonb_agg(to_jsonb(v) - ${['project_id', 'execution_id']}::text[] || jsonb_build_object('id', v.stream_id || ':' || v.byte_offset)
        order by v.stream_id, v.byte_offset), '[]') from events v where ${own}),
      'calls', (select coalesce(jsonb_agg(to_jsonb(a) - ${['project_id', 'execution_id']}::text[] || jsonb_build_object('id', 'call ' || a.ordinal) order by a.ordinal), '[]')
        from calls a where ${own}),
      'decision', (select to_jsonb(d) - ${['project_id', 'execution_id', 'decided_at']}::text[] from decisions d where ${own}),
      'receipts', (select coalesce(jsonb_agg(to_jsonb(r) - ${['project_id', 'execution_id']}::text[] || jsonb_build_object('id', r.stream_id::text) order by r.stream_id), '[]')
        from receipts r where ${own})
    )::text as text`
  return row!.text
}
