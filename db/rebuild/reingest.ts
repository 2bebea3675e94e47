import { describeFailure, type AnalysisFailure } from '@/lib/analysis/analysis-failure'
import type { Db } from '../client'
import { analyseExecutions } from '../writes/derive/analyse'
import { isDataFault } from '../sql-state'
import type { FixStore } from '../fixes/patch-reader'
import { handOverPatches } from '../fixes/hand-over-patches'
import { noteAllPatches } from '../writes/publish/note-patches'
import { rebuildStreams, streamSources, type StreamSource } from './rebuild-streams'
import { rereadFixes } from '../fixes/reread-fixes'
import { transact } from '../transaction'
import type { RowOf } from '../schema/rows'

export interface ReingestProgress {
  phase: 'streams' | 'executions'
  done: number
  total: number
}

/** What could not be rebuilt, and stays as it was. */
export interface ReingestProblem extends Pick<AnalysisFailure, 'error' | 'message'> {
  kind: 'stream' | 'execution' | 'patches' | 'fix'
  /** Ours: of the stream, the execution, the run whose patches they are, or the fix. */
  id: string
  /** The name people know it by: the file of a stream, the external id of an execution; else its id. */
  name: string
}

export interface Reingested {
  streams: number
  executions: number
  records: number
  /** Executions whose analysis failed. */
  quarantined: number
  problems: ReingestProblem[]
}

/** What is rebuilt: one project, or with none everything. */
export interface ReingestScope {
  projectId?: string
  failureTag?: string
}

/** What one step did. */
export interface ReingestBatch extends Omit<Reingested, 'streams' | 'executions'> {
  /** Streams or executions that it came past. */
  done: number
  /** Executions that were analysed. */
  analysed: number
  /** Id of the last one; null: there are no more. */
  last: string | null
}

/** Before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Streams that share one transaction: hook frames are many and tiny. */
const STREAMS_AT_ONCE = 50
/** Bytes of them, unless it is one. */
const STREAM_BYTES_AT_ONCE = 2 * 1024 * 1024
const EXECUTIONS_AT_ONCE = 20

/**
 * Rebuilds everything that is derived from the received bytes: events, executions, attempts, odd input. Ids stay. Works stream by stream and
 * part by part, so memory is bounded by one part; each step is a transaction, and one that is cut short leaves a note (`dirty`) by which the
 * background job ends the analysis. What breaks is reported and stays as it was, and the rest continues.
 *
 * @see reingest-job.ts which takes the same steps as a job with progress
 */
export async function reingest(
  db: FixStore,
  {
    onProgress = () => {},
    ...scope
  }: ReingestScope & { onProgress?: (progress: ReingestProgress) => void } = {},
): Promise<Reingested> {
  const all: Reingested = { streams: 0, executions: 0, records: 0, quarantined: 0, problems: [] }
  for (const phase of ['streams', 'executions'] as const) {
    const total = await countReingest(db, phase, scope)
    let done = 0
    for (let after = FIRST_ID; ; ) {
      const batch = await reingestBatch(db, phase, after, scope)
      if (batch.last === null) break
      after = batch.last
      done += batch.done
      all[phase] += phase === 'streams' ? batch.done : batch.analysed
      all.records += batch.records
      all.quarantined += batch.quarantined
      all.problems.push(...batch.problems)
      onProgress({ phase, done, total })
    }
  }
  all.problems.push(...(await reingestFixes(db, scope)))
  return all
}

/** How many streams or executions there are. */
export async function countReingest(
  { sql }: Pick<Db, 'sql'>,
  phase: ReingestProgress['phase'],
  { projectId }: ReingestScope,
): Promise<number> {
  const within = projectId === undefined ? sql`` : sql`where project_id = ${projectId}`
  const [row] = await (phase === 'streams'
    ? sql<{ n: number }[]>`select count(*)::int as n from streams ${within}`
    : sql<{ n: number }[]>`select count(distinct execution_id)::int as n from execution_keys ${within}`)
  return row!.n
}

/** The next few streams or executions behind one. */
export const reingestBatch = (
  db: Pick<Db, 'sql'>,
  phase: ReingestProgress['phase'],
  after: string,
  scope: ReingestScope,
): Promise<ReingestBatch> =>
  phase === 'streams' ? streamBatch(db, after, scope) : executionBatch(db, after, scope)

async function streamBatch(
  db: Pick<Db, 'sql'>,
  after: string,
  { projectId, failureTag }: ReingestScope,
): Promise<ReingestBatch> {
  const { sql } = db
  const found = await streamSources(
    sql,
    sql`t.id > ${after} ${projectId === undefined ? sql`` : sql`and t.project_id = ${projectId}`} order by t.id limit ${STREAMS_AT_ONCE}`,
  )
  const streams: StreamSource[] = []
  let bytes = 0
  for (const stream of found) {
    bytes += stream.nextOffset
    if (streams.length > 0 && bytes > STREAM_BYTES_AT_ONCE) break
    streams.push(stream)
  }
  const done = await rebuildEach(db, streams, failureTag)
  return { ...done, done: streams.length, analysed: 0, quarantined: 0, last: streams.at(-1)?.id ?? null }
}

/** Together, and when one of them breaks each by itself. */
async function rebuildEach(
  db: Pick<Db, 'sql'>,
  streams: readonly StreamSource[],
  failureTag: string | undefined,
): Promise<Pick<Reingested, 'records' | 'problems'>> {
  if (streams.length === 0) return { records: 0, problems: [] }
  try {
    return {
      records: await transact(db, (open) => rebuildStreams(open, streams, failureTag)),
      problems: [],
    }
  } catch (error) {
    if (!isDataFault(error)) throw error
    const [first] = streams
    if (streams.length === 1)
      return {
        records: 0,
        problems: [
          {
            kind: 'stream',
            id: first!.id,
            name: first!.fileName ?? first!.streamId,
            ...describeFailure(error),
          },
        ],
      }
    const all: Pick<Reingested, 'records' | 'problems'> = { records: 0, problems: [] }
    for (const stream of streams) {
      const one = await rebuildEach(db, [stream], failureTag)
      all.records += one.records
      all.problems.push(...one.problems)
    }
    return all
  }
}

async function executionBatch(
  db: Pick<Db, 'sql'>,
  after: string,
  { projectId }: ReingestScope,
): Promise<ReingestBatch> {
  const { sql } = db
  const rows = await sql<
    {
      id: RowOf<'execution_keys', 'execution_id'>['execution_id']
    }[]
  >`
    select distinct execution_id as id from execution_keys
    where execution_id > ${after} ${projectId === undefined ? sql`` : sql`and project_id = ${projectId}`} order by execution_id limit ${EXECUTIONS_AT_ONCE}`
  const analysed = await analyseExecutions(
    db,
    rows.map(({ id }) => id),
  )
  const failed = analysed.flatMap(({ id, externalId, failure }) =>
    failure
      ? [{ kind: 'execution' as const, id, name: externalId, error: failure.error, message: failure.message }]
      : [],
  )
  return {
    done: rows.length,
    analysed: analysed.filter(({ outcome }) => outcome !== null).length,
    records: 0,
    quarantined: failed.length,
    problems: failed,
    last: rows.at(-1)?.id ?? null,
  }
}

/** Proposes the patches of runs, and reads patches by today's rules. @returns what could not be */
export async function reingestFixes(db: FixStore, { projectId }: ReingestScope): Promise<ReingestProblem[]> {
  await noteAllPatches(db.sql, projectId)
  const { failed } = await handOverPatches(db)
  const problems = failed.map(
    ({ executionId, error }): ReingestProblem => ({
      kind: 'patches',
      id: executionId,
      name: executionId,
      ...describeFailure(error),
    }),
  )
  await rereadFixes(db, {
    projectId,
    onError: (error, fixId) =>
      problems.push({ kind: 'fix', id: fixId, name: fixId, ...describeFailure(error) }),
  })
  return problems
}
