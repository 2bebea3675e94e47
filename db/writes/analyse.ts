import type { Decision } from '@/lib/decisions/decision'
import { createAnalysis } from '@/lib/executions/analyse'
import { applyDecision } from '@/lib/executions/apply-decision'
import { chainKeysOf } from '@/lib/executions/chain-keys'
import { decideExecution, lastRun } from '@/lib/executions/decide-execution'
import { attemptsOf } from '@/lib/executions/marks'
import { resumedSessions } from '@/lib/executions/resumed-sessions'
import type { AnalysedEvent, ExecutionSummary } from '@/lib/executions/summary'
import type { Door, EventFacts, EventKind, OddReason } from '@/lib/ingest/normal-form'
import type { KnownOfChains } from '@/lib/receipts/silence'
import type { Db, Tx } from '../client'
import { sourcesLike } from '../queries/same-sessions'
import { isRetryable } from '../sql-state'
import { readVerdicts } from './chain-verdicts'
import { findExecutions, lockExecutions, lockNames, type SourceRef } from './execution-ids'
import { addMarks, removeMarks, type MarkRow } from './execution-marks'
import { ResumeLinks } from './link-resumed'
import { notifyChanged } from './notify'
import { forgetParity, noteParityDue } from './parity-due'
import { notePatches } from './note-patches'
import { readStdout } from './read-stdout'
import { readGaps } from './receipt-gaps'
import {
  executionColumns,
  facetDelta,
  facetValues,
  NO_TIME,
  summaryDigest,
  type FacetValues,
} from './summary-row'
import { copyAttempts, writeAttempts, type NewAttempts } from './write-attempts'
import { noteChainSizes, writeChains, writeCiRuns, writeDecision } from './write-decision'
import { Sent, type FreshEvent, type FreshEvents } from './writing'

export interface ExecutionTarget {
  id: string
  externalId: string
  sourceId: string
}

export interface Analysed {
  id: string
  externalId: string
  /** Null: there is nothing left of it. */
  outcome: string | null
  changed: boolean
}

const EVENTS_AT_ONCE = 500

/**
 * Folds all events of the executions into what is known about them and writes it. The caller's transaction holds the lock of each
 * execution (and of its parent) until it ends, so the second of two writers sees what the first one wrote.
 *
 * @returns the executions in the order given; `changed` says whether readers would see a difference
 */
export async function analyseIn(
  tx: Tx,
  projectId: string,
  targets: readonly ExecutionTarget[],
  parentKeys: readonly string[] = [],
  fresh?: FreshEvents,
): Promise<Analysed[]> {
  const locked = lockExecutions(tx, projectId, [...targets.map((t) => t.externalId), ...parentKeys])
  // Heard of below.
  locked.catch(() => {})
  const answered: Analysed[] = []
  const alsoChanged: string[] = []
  const resumes = new ResumeLinks(
    tx,
    projectId,
    targets.map((t) => t.externalId),
  )
  const work: Work = {
    tx,
    projectId,
    alsoChanged,
    touchedChains: [],
    leftChains: [],
    resumes,
    sent: new Sent(),
    newAttempts: [],
    newMarks: [],
    changed: [],
    withPatches: [],
    facets: { before: [], after: [] },
  }
  for (const target of targets) answered.push(await analyseOne(work, target, fresh?.of(target.id) ?? null))
  work.sent.add(addMarks(tx, projectId, work.newMarks))
  work.sent.add(facetDelta(tx, projectId, work.facets.before, work.facets.after))
  work.sent.add(noteParityDue(tx, projectId, work.changed))
  work.sent.add(notePatches(tx, projectId, work.withPatches))
  // The server takes it before whatever was sent after it.
  await locked
  await work.sent.settle()
  await copyAttempts(tx, projectId, work.newAttempts)
  const linked = await resumes.link()
  const [chains, left] = [
    [...work.touchedChains, ...linked.chains],
    [...work.leftChains, ...linked.left],
  ]
  alsoChanged.push(...(await noteChainSizes(tx, projectId, chains, left)))
  await notifyChanged(tx, projectId, [...answered.filter((a) => a.changed).map((a) => a.id), ...alsoChanged])
  return answered
}

/** What the executions of one call write together. */
interface Work {
  tx: Tx
  projectId: string
  /** Executions beside the targets that a reader would see changed. */
  alsoChanged: string[]
  /** Chains that an execution was put into or taken out of: their sizes are noted at the end. */
  touchedChains: string[]
  /** Executions that were taken out of a chain. */
  leftChains: string[]
  resumes: ResumeLinks
  sent: Sent
  newAttempts: NewAttempts[]
  newMarks: MarkRow[]
  /** Of which the layers are to be compared. */
  changed: { id: string; outcome: string; parentId: string | null }[]
  /** Of which patches are to be proposed as fixes. */
  withPatches: string[]
  facets: { before: [string, string][]; after: [string, string][] }
}

async function analyseOne(
  work: Work,
  target: ExecutionTarget,
  fresh: readonly FreshEvent[] | null,
): Promise<Analysed> {
  const { tx, projectId } = work
  const streams = fresh ? null : await readStreams(tx, projectId, target.id)
  // Stored events are there once, and nobody commits others while the lock of the execution is held.
  const analysis = createAnalysis(target.externalId, streams?.size !== 1)
  let odd = 0
  let records = 0
  let redactions = 0
  const add = (event: AnalysedEvent) => {
    records++
    if (event.oddReason !== undefined) odd++
    analysis.add(event)
  }
  for (const one of fresh ?? []) {
    redactions += one.redactions
    add(one.event)
  }
  if (streams) {
    for (const stream of streams.values()) redactions += stream.redactions
    await readEvents(tx, projectId, target.id, streams, add)
  }
  if (records === 0) return removeExecution(work, target)
  const inferred = analysis.finish(
    analysis.holdsReceipts() ? await readOfChains(tx, projectId, target.id) : {},
  )
  const run = lastRun(inferred)
  const decision = decideExecution(
    inferred,
    run === null ? null : await readStdout(tx, projectId, target.id, run.fact),
  )
  return writeSummary(work, target, applyDecision(inferred, decision), {
    odd,
    redactions,
    decision,
    isNew: fresh !== null,
  })
}

const readOfChains = async (tx: Tx, projectId: string, id: string): Promise<KnownOfChains> => ({
  gaps: await readGaps(tx, projectId, id),
  ...(await readVerdicts(tx, projectId, id)),
})

type Streams = ReadonlyMap<string, { name: string; redactions: number }>

async function readStreams(tx: Tx, projectId: string, id: string): Promise<Streams> {
  const rows = await tx<{ id: string; stream_id: string; redactions: number }[]>`
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
      await tx<{ id: string; sha256: string }[]>`
      select distinct r.id, r.sha256 from execution_streams x
      join stream_parts p on p.project_id = x.project_id and p.stream_id = x.stream_id
      join received r on r.project_id = p.project_id and r.id = p.received_id
      where x.project_id = ${projectId} and x.execution_id = ${id}`
    ).map((row) => [row.id, row.sha256]),
  )
  const query = tx<EventRow[]>`
    select stream_id, door, byte_offset, identity, kind, at, received_id, kept_start, kept_end, odd_reason, facts
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
  const [gone] = await tx<FacetValues[]>`
    delete from executions where project_id = ${projectId} and id = ${target.id} returning outcome, source_id, repository, branch, marks`
  if (gone) await facetDelta(tx, projectId, facetValues(gone), [])
  await tx`delete from execution_marks where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from attempts where project_id = ${projectId} and execution_id = ${target.id}`
  await tx`delete from decisions where project_id = ${projectId} and execution_id = ${target.id}`
  const chains = await tx<{ id: string }[]>`
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

interface EventRow {
  stream_id: string
  door: string
  byte_offset: number
  identity: string
  kind: string
  at: string | null
  received_id: string
  kept_start: number
  kept_end: number
  odd_reason: string | null
  facts: EventFacts
}

const toAnalysed = (row: EventRow, streamId: string, received: string): AnalysedEvent => ({
  streamId,
  door: row.door as Door,
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

interface KnownRow {
  digest: string
  outcome: string
  source_id: string
  repository: string | null
  branch: string | null
  marks: string[]
  parent_id: string | null
  first_seen_at: string
  sort_at: string
}

async function writeSummary(
  work: Work,
  target: ExecutionTarget,
  summary: ExecutionSummary,
  { isNew, ...extra }: { odd: number; redactions: number; decision: Decision | null; isNew: boolean },
): Promise<Analysed> {
  const { tx, projectId, alsoChanged, sent } = work
  // Of an execution that this transaction made there is no row yet.
  const read = (): Promise<KnownRow[]> =>
    isNew
      ? Promise.resolve([])
      : tx<KnownRow[]>`
    select digest, outcome, source_id, repository, branch, marks, parent_id, first_seen_at, sort_at from executions
    where project_id = ${projectId} and id = ${target.id}`.execute()
  let [known] = await read()
  const parentId = summary.parent ? await findParent(tx, projectId, target, summary.parent.key) : null
  const digest = summaryDigest(summary, extra, parentId)
  const answer = { id: target.id, externalId: target.externalId, outcome: summary.outcome }
  if (known?.digest === digest) {
    await tx`update executions set dirty = false where project_id = ${projectId} and id = ${target.id} and dirty`
    return { ...answer, changed: false }
  }
  const resumed = resumedSessions(target.externalId, summary.evidence)
  const isResumed = await work.resumes.note(
    target,
    resumed,
    known?.sort_at ?? null,
    summary.startedAt ?? NO_TIME,
  )
  const isTry = extra.decision !== null || summary.evidence.tasks !== undefined
  if (isTry) await writeEvidence(work, target.id, summary, extra.decision, isNew)
  // Who held its chains until now may have noted their size.
  if (isResumed || isTry) known = (await read())[0]
  const firstSeen = known?.first_seen_at ?? new Date().toISOString()
  // Known to those who link executions (`setAttempts`); what they said last stands.
  const attempts = attemptsOf(known?.marks ?? [])
  const columns = executionColumns(summary, extra, {
    parentId,
    digest,
    externalId: target.externalId,
    attempts,
  })
  const names = Object.keys(columns)
  const values = Object.values(columns)
  const places = values.map(([, cast], i) =>
    names[i] === 'search' ? `array_to_tsvector($${i + 3}::${cast})` : `$${i + 3}::${cast}`,
  )
  const params = [projectId, target.id, ...values.map(([value]) => value)] as never[]
  // Sent one behind the other without waiting: a round trip each would be most of the time that a small session takes.
  if (known) {
    sent.add(
      tx
        .unsafe(
          `update executions set ${names.map((name, i) => `${name} = ${places[i]}`).join(', ')}, dirty = false, version = version + 1, updated_at = now()
       where project_id = $1::uuid and id = $2::uuid`,
          params,
          { prepare: true },
        )
        .execute(),
    )
  } else {
    sent.add(
      tx
        .unsafe(
          `insert into executions (project_id, id, ${names.join(', ')}, source_id, external_id, first_seen_at) values ($1::uuid, $2::uuid, ${places.join(', ')},
       $${params.length + 1}::uuid, $${params.length + 2}::text, $${params.length + 3}::timestamptz)`,
          [...params, target.sourceId as never, target.externalId as never, firstSeen as never],
          { prepare: true },
        )
        .execute(),
    )
    sent.add(
      tx<{ id: string }[]>`
      update executions set parent_id = ${target.id}, version = version + 1, updated_at = now()
      where project_id = ${projectId} and source_id in (${sourcesLike(tx, tx`${projectId}::uuid`, tx`${target.sourceId}::uuid`)}) and parent_key = ${target.externalId} and parent_id is null returning id`
        .execute()
        .then((children) => void alsoChanged.push(...children.map((child) => child.id))),
    )
  }
  if (parentId !== null && known?.parent_id !== parentId) alsoChanged.push(parentId)
  const marks = columns.marks![0] as string[]
  const sortAt = columns.sort_at![0] as string
  if (known) sent.add(removeMarks(tx, projectId, target.id, marks, sortAt))
  work.newMarks.push(...marks.map((mark) => ({ executionId: target.id, mark, sortAt })))
  if (known) work.facets.before.push(...facetValues(known))
  work.facets.after.push(
    ...facetValues({
      outcome: summary.outcome,
      source_id: known?.source_id ?? target.sourceId,
      repository: columns.repository![0] as string | null,
      branch: columns.branch![0] as string | null,
      marks,
    }),
  )
  work.changed.push({ id: target.id, outcome: summary.outcome, parentId })
  if (summary.pipeline !== null && summary.pipeline.patches.length > 0) work.withPatches.push(target.id)
  if (known) await writeAttempts(tx, projectId, target.id, summary.attempts)
  else work.newAttempts.push({ executionId: target.id, attempts: summary.attempts })
  return { ...answer, changed: true }
}

/** What is known of an execution because its process, its source's verdict or its tasks were recorded. */
async function writeEvidence(
  work: Work,
  id: string,
  { evidence, startedAt }: ExecutionSummary,
  decision: Decision | null,
  isNew: boolean,
): Promise<void> {
  const { tx, projectId, touchedChains, leftChains, sent } = work
  if (decision) sent.add(writeDecision(tx, projectId, id, decision))
  const runs = evidence.runs.flatMap(({ fact }) => fact.ci ?? [])
  const keys = chainKeysOf(evidence)
  // Of one that this transaction made nothing is there to be taken away.
  if (runs.length > 0 || !isNew) await writeCiRuns(tx, projectId, id, runs)
  if (keys.length === 0 && isNew) return
  await lockChains(
    tx,
    projectId,
    keys.map((key) => key.id),
  )
  const { left, chains } = await writeChains(tx, projectId, id, keys, startedAt ?? NO_TIME)
  touchedChains.push(...chains)
  if (left) leftChains.push(id)
}

/** Of two that join a chain at once, the second has to see the first: both are counted. */
const lockChains = (tx: Tx, projectId: string, ids: readonly string[]): Promise<void> =>
  lockNames(
    tx,
    ids.map((id) => `chain ${projectId} ${id}`),
  )

async function findParent(
  tx: Tx,
  projectId: string,
  target: ExecutionTarget,
  key: string,
): Promise<string | null> {
  const [source] = await tx<
    SourceRef[]
  >`select id, kind, name, redact from sources where project_id = ${projectId} and id = ${target.sourceId}`
  return (await findExecutions(tx, projectId, source!, [key])).get(key)?.id ?? null
}

const RETRIES_MAX = 5

/** Runs a transaction again when the server asks for it (deadlock, serialization). */
export async function withRetry<T>(db: Pick<Db, 'sql'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await db.sql.begin(work)) as T
    } catch (error) {
      if (!isRetryable(error) || attempt >= RETRIES_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (0.5 + Math.random())))
    }
  }
}

/** Analyses executions by id, each in a transaction of its own; ids that are gone are skipped. */
export const analyseExecutions = (db: Pick<Db, 'sql'>, ids: readonly string[]): Promise<Analysed[]> =>
  analyseEach(db, ids, () => Promise.resolve(true))

export interface DirtyWork {
  /** Milliseconds since the last piece came. */
  quietMs: number
  limit?: number
}

/** Executions that a deferred import left to be analysed, oldest first. */
export async function findDirty(db: Pick<Db, 'sql'>, { quietMs, limit = 200 }: DirtyWork): Promise<string[]> {
  const rows = await db.sql<{ id: string }[]>`
    select id from executions where dirty and updated_at < now() - make_interval(secs => ${quietMs / 1000}) order by updated_at limit ${limit}`
  return rows.map((row) => row.id)
}

/** Analyses what a deferred import left behind. @returns how many */
export async function analyseDirty(db: Pick<Db, 'sql'>, work: DirtyWork): Promise<number> {
  // The last piece may just have come, and be analysed with all the others: that of a long session takes seconds.
  const stillDue = async (tx: Tx, projectId: string, id: string): Promise<boolean> =>
    (await tx`select 1 from executions where project_id = ${projectId} and id = ${id} and dirty`).length > 0
  return (await analyseEach(db, await findDirty(db, work), stillDue)).length
}

async function analyseEach(
  db: Pick<Db, 'sql'>,
  ids: readonly string[],
  isDue: (tx: Tx, projectId: string, id: string) => Promise<boolean>,
): Promise<Analysed[]> {
  const found = await db.sql<(ExecutionTarget & { projectId: string; parentKey: string | null })[]>`
    select k.project_id as "projectId", k.execution_id as id, k.external_id as "externalId", k.source_id as "sourceId", e.parent_key as "parentKey"
    from execution_keys k left join executions e on e.project_id = k.project_id and e.id = k.execution_id
    where k.execution_id = any (${[...ids]}::uuid[])`
  const done: Analysed[] = []
  for (const { projectId, parentKey, ...target } of found) {
    const parentKeys = parentKey === null ? [] : [parentKey]
    done.push(
      ...(await withRetry(db, async (tx) => {
        await lockExecutions(tx, projectId, [target.externalId, ...parentKeys])
        return (await isDue(tx, projectId, target.id)) ? analyseIn(tx, projectId, [target], parentKeys) : []
      })),
    )
  }
  return done
}
