import { applyDecision } from '@/lib/analysis/apply-decision'
import type { Decision } from '@/lib/judge/decisions/decision'
import { decideExecution } from '@/lib/judge/decisions/decide-execution'
import type { AnalysedEvent, ExecutionSummary } from '@/lib/model/summary'
import type { InputChannel, EventKind, OddReason } from '@/lib/model/normal-form'
import type { KnownOfChains } from '@/lib/judge/receipts/silence'
import type { Db, Tx } from '../../client'
import { isAfterFault, isDataFault } from '../../sql-state'
import { AnalysisError, mayPass } from './analysis-error'
import { readVerdicts } from './chain-verdicts'
import { lockExecutions } from '../../locks'
import { forgetParity } from '../publish/parity-due'
import { quarantine } from './quarantine'
import { readStdout } from './read-stdout'
import { readGaps } from './receipt-gaps'
import { facetDelta, facetValues } from '../publish/facet-counts'
import { transact } from '../../transaction'
import { lockChains, writeSummary, type Analysed, type ExecutionTarget, type Work } from './write-summary'
import { writeTogether } from './write-together'
import { EventReading, type FreshAnalyses } from './fresh-analyses'
import type { RowOf } from '../../schema/rows'

const EVENTS_AT_ONCE = 500

/**
 * Folds all events of the executions into what is known about them and writes it. The caller's transaction holds the lock of each
 * execution (and of its parent) until it ends, so the second of two writers sees what the first one wrote.
 *
 * @param o.fresh has read the events that this transaction wrote, so that they need not be read back
 * @param o.apart each execution by itself: one whose analysis breaks is quarantined, and the others go on. It costs a savepoint for each, so it is
 *                for the second attempt
 * @returns the executions in the order given; `changed` says whether readers would see a difference
 * @throws AnalysisError when an analysis broke and they are not `apart`; the transaction is lost
 * @see docs/decisions/0031-quarantine.md
 */
export async function analyseIn(
  tx: Tx,
  projectId: string,
  targets: readonly ExecutionTarget[],
  parentKeys: readonly string[] = [],
  { fresh, apart = false }: { fresh?: FreshAnalyses; apart?: boolean } = {},
): Promise<Analysed[]> {
  const analyse = (within: Tx, some: readonly ExecutionTarget[]): Promise<Analysed[]> =>
    writeTogether(within, projectId, some, parentKeys, (work, target) =>
      analyseOne(work, target, fresh?.take(target.id) ?? null),
    )
  if (!apart)
    return analyse(tx, targets).catch((error: unknown) => {
      throw isDataFault(error) || isAfterFault(error) ? new AnalysisError(error) : error
    })
  // Outside of the savepoints: a lock that is taken inside of one goes with it.
  await lockExecutions(tx, projectId, [...targets.map((t) => t.externalId), ...parentKeys])
  const done: Analysed[] = []
  for (const target of targets)
    try {
      done.push(...(await tx.savepoint((within) => analyse(within, [target]))))
    } catch (error) {
      if (!isDataFault(error)) throw error
      done.push(await quarantine(tx, projectId, target, error))
    }
  return done
}

async function analyseOne(
  work: Work,
  target: ExecutionTarget,
  fresh: EventReading | null,
): Promise<Analysed> {
  const { tx, projectId } = work
  const { analysis, records, odd, redactions } = fresh ?? (await readBack(tx, projectId, target))
  if (records === 0) return removeExecution(work, target)
  const inferred = analysis.finish(
    analysis.holdsReceipts() ? await readOfChains(tx, projectId, target.id) : {},
  )
  const decision = await decide(work, target, inferred)
  return writeSummary(work, target, applyDecision(inferred, decision), {
    odd,
    redactions,
    decision,
    isNew: fresh !== null,
  })
}

/** What is concluded beside the records: null where neither a process nor its source's verdict was recorded. */
async function decide(
  { tx, projectId }: Work,
  target: ExecutionTarget,
  inferred: ExecutionSummary,
): Promise<Decision | null> {
  const { recorded, runs } = inferred.evidence
  const run = runs.at(-1)
  if (recorded === null && run === undefined) return null
  const stdout = run === undefined ? null : await readStdout(tx, projectId, target.id, run.fact)
  return decideExecution(inferred, stdout)
}

async function readBack(tx: Tx, projectId: string, target: ExecutionTarget): Promise<EventReading> {
  const streams = await readStreams(tx, projectId, target.id)
  // Stored events are there once, and nobody commits others while the lock of the execution is held.
  const reading = new EventReading(target.externalId, streams.size !== 1)
  for (const stream of streams.values()) reading.redactions += stream.redactions
  await readEvents(tx, projectId, target.id, streams, (event) => reading.add(event))
  return reading
}

const readOfChains = async (tx: Tx, projectId: string, id: string): Promise<KnownOfChains> => ({
  gaps: await readGaps(tx, projectId, id),
  ...(await readVerdicts(tx, projectId, id)),
})

type Streams = ReadonlyMap<string, { name: string; redactions: number }>

async function readStreams(tx: Tx, projectId: string, id: string): Promise<Streams> {
  const rows = await tx<(RowOf<'streams', 'id' | 'stream_id'> & RowOf<'execution_streams', 'redactions'>)[]>`
    select s.id, s.stream_id, x.redactions from execution_streams x join streams s on s.project_id = x.project_id and s.id = x.stream_id
    where x.project_id = ${projectId} and x.execution_id = ${id}`
  return new Map(rows.map((row) => [row.id, { name: row.stream_id, redactions: row.redactions }]))
}

/** Reads the events of an execution, a few at a time. */
async function readEvents(
  tx: Tx,
  projectId: string,
  id: string,
  streams: Streams,
  add: (event: AnalysedEvent) => void,
): Promise<void> {
  const digests = new Map(
    (
      await tx<RowOf<'received', 'id' | 'sha256'>[]>`
      select distinct r.id, r.sha256 from execution_streams x
      join stream_parts p on p.project_id = x.project_id and p.stream_id = x.stream_id
      join received r on r.project_id = p.project_id and r.id = p.received_id
      where x.project_id = ${projectId} and x.execution_id = ${id}`
    ).map((row) => [row.id, row.sha256]),
  )
  const query = tx<EventRow[]>`
    select stream_id, channel, byte_offset, identity, kind, at, received_id, kept_start, kept_end, odd_reason, facts
    from events where project_id = ${projectId} and execution_id = ${id} order by stream_id, byte_offset`
  await query.cursor(EVENTS_AT_ONCE, (rows) => {
    for (const row of rows)
      add(
        toAnalysed(
          row,
          streams.get(row.stream_id)?.name ?? row.stream_id,
          digests.get(row.received_id) ?? '',
        ),
      )
  })
}

/** All it had was a torn line that turned out to belong elsewhere. */
async function removeExecution(work: Work, target: ExecutionTarget): Promise<Analysed> {
  const { tx, projectId } = work
  await work.resumes.remove(target)
  const [gone] = await tx<RowOf<'executions', 'outcome' | 'source_id' | 'repository' | 'branch' | 'marks'>[]>`
    delete from executions where project_id = ${projectId} and id = ${target.id} returning outcome, source_id, repository, branch, marks`
  if (gone) await facetDelta(tx, projectId, facetValues(gone), [])
  await tx`delete from execution_marks where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from calls where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from decisions where project_id = ${projectId} and execution_id = ${target.id}`
  const chains = await tx<
    {
      id: RowOf<'execution_chains', 'chain_id'>['chain_id']
    }[]
  >`
    select chain_id as id from execution_chains where project_id = ${projectId} and execution_id = ${target.id}`
  const chainIds = chains.map((chain) => chain.id)
  if (chainIds.length > 0) await lockChains(tx, projectId, chainIds)
  work.touchedChains.push(...chainIds)
  await tx`delete from execution_chains where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from ci_runs where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from execution_streams where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from execution_keys where project_id = ${projectId} and execution_id = ${target.id}`
  await forgetParity(tx, projectId, target.id)
  return { id: target.id, externalId: target.externalId, outcome: null, changed: gone !== undefined }
}

type EventRow = RowOf<
  'events',
  | 'stream_id'
  | 'channel'
  | 'byte_offset'
  | 'identity'
  | 'kind'
  | 'at'
  | 'received_id'
  | 'kept_start'
  | 'kept_end'
  | 'odd_reason'
  | 'facts'
>

const toAnalysed = (row: EventRow, streamId: string, received: string): AnalysedEvent => ({
  streamId,
  channel: row.channel as InputChannel,
  offset: row.byte_offset,
  identity: row.identity,
  kind: row.kind as EventKind,
  at: row.at,
  received,
  keptStart: row.kept_start,
  keptEnd: row.kept_end,
  ...(row.odd_reason === null ? {} : { oddReason: row.odd_reason as OddReason }),
  facts: row.facts,
})

/** Analyses executions by id, each in a transaction of its own; ids that are gone are skipped, and those whose analysis breaks are quarantined. */
export const analyseExecutions = (db: Pick<Db, 'sql'>, ids: readonly string[]): Promise<Analysed[]> =>
  analyseEach(db, ids, () => Promise.resolve(true))

export interface DirtyWork {
  /** Milliseconds since the last piece came. */
  quietMs: number
  limit?: number
}

/** Executions that a deferred import left to be analysed, oldest first. */
export async function findDirty(db: Pick<Db, 'sql'>, { quietMs, limit = 200 }: DirtyWork): Promise<string[]> {
  const rows = await db.sql<RowOf<'executions', 'id'>[]>`
    select id from executions where dirty and updated_at < now() - make_interval(secs => ${quietMs / 1000}) order by updated_at limit ${limit}`
  return rows.map((row) => row.id)
}

/** Analyses what a deferred import left behind. @returns how many */
export async function analyseDirty(db: Pick<Db, 'sql'>, work: DirtyWork): Promise<number> {
  // The last piece may just have come, and be analysed with all the others: that of a long session takes seconds.
  const stillDue = async (tx: Tx, projectId: string, id: string): Promise<boolean> =>
    (await tx`select 1 from executions where project_id = ${projectId} and id = ${id} and dirty`).length > 0
  return (await analyseEach(db, await findDirty(db, work), stillDue, putBack)).length
}

/** What could not be analysed now, for a reason that may pass, waits behind all others. */
const putBack = async (db: Pick<Db, 'sql'>, projectId: string, id: string): Promise<void> => {
  await db.sql`update executions set updated_at = now() where project_id = ${projectId} and id = ${id} and dirty`
}

async function analyseEach(
  db: Pick<Db, 'sql'>,
  ids: readonly string[],
  isDue: (tx: Tx, projectId: string, id: string) => Promise<boolean>,
  onBusy?: (db: Pick<Db, 'sql'>, projectId: string, id: string) => Promise<void>,
): Promise<Analysed[]> {
  const found = await db.sql<
    (RowOf<'execution_keys', 'projectId' | 'externalId' | 'sourceId'> & {
      id: RowOf<'execution_keys', 'execution_id'>['execution_id']
      parentKey: RowOf<'executions', 'parentKey'>['parentKey']
    })[]
  >`
    select k.project_id as "projectId", k.execution_id as id, k.external_id as "externalId", k.source_id as "sourceId", e.parent_key as "parentKey"
    from execution_keys k left join executions e on e.project_id = k.project_id and e.id = k.execution_id
    where k.execution_id = any (${[...ids]}::uuid[])`
  const done: Analysed[] = []
  for (const { projectId, parentKey, ...target } of found) {
    const parentKeys = parentKey === null ? [] : [parentKey]
    try {
      done.push(
        ...(await transact(db, async ({ tx, apart }) => {
          await lockExecutions(tx, projectId, [target.externalId, ...parentKeys])
          return (await isDue(tx, projectId, target.id))
            ? analyseIn(tx, projectId, [target], parentKeys, { apart })
            : []
        })),
      )
    } catch (error) {
      if (onBusy === undefined || !mayPass(error)) throw error
      await onBusy(db, projectId, target.id)
    }
  }
  return done
}
