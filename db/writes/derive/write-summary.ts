import type { Decision } from '@/lib/judge/decisions/decision'
import type { AnalysisFailure } from '@/lib/analysis/analysis-failure'
import { chainKeysOf } from '@/lib/analysis/chain-keys'
import { attemptsOf } from '@/lib/analysis/marks'
import { resumedSessions } from '@/lib/analysis/resumed-sessions'
import type { ExecutionSummary } from '@/lib/model/summary'
import type { Tx } from '../../client'
import { sourcesLike } from '../../same-sessions'
import { findExecutions } from '../append/execution-ids'
import { lockNames } from '../../locks'
import { removeMarks, type MarkRow } from './execution-marks'
import type { ResumeLinks } from './link-resumed'
import { executionColumns, NO_TIME, summaryDigest } from './summary-row'
import { facetValues } from '../publish/facet-counts'
import { writeCalls, type NewCalls } from './write-calls'
import { writeChains, writeCiRuns, writeDecision } from './write-decision'
import type { Sent } from '../../transaction'
import type { RowOf } from '../../schema/rows'

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
  /** Its calls, and those of them that failed; left out where nothing is known of them now. */
  counts?: { calls: number; failedCalls: number }
  changed: boolean
  /** Its analysis broke: it says what was known before. */
  failure?: AnalysisFailure
}

/** What the executions of one call write together. */
export interface Work {
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
  newCalls: NewCalls[]
  newMarks: MarkRow[]
  /** Of which the layers are to be compared. */
  changed: { id: string; outcome: string; parentId: string | null }[]
  /** Of which patches are to be proposed as fixes. */
  withPatches: string[]
  facets: { before: [string, string][]; after: [string, string][] }
}

type KnownRow = RowOf<
  'executions',
  | 'digest'
  | 'outcome'
  | 'source_id'
  | 'repository'
  | 'branch'
  | 'marks'
  | 'parent_id'
  | 'first_seen_at'
  | 'sort_at'
>

/** Writes what is known of an execution, in the caller's transaction; some of it is only sent, and heard of when `work.sent` settles. */
export async function writeSummary(
  work: Work,
  target: ExecutionTarget,
  summary: ExecutionSummary,
  {
    isNew,
    failure = null,
    ...extra
  }: {
    odd: number
    redactions: number
    decision: Decision | null
    isNew: boolean
    failure?: AnalysisFailure | null
  },
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
  // Whatever a later analysis comes to is another answer than none.
  const digest = failure === null ? summaryDigest(summary, extra, parentId) : ''
  const answer = {
    id: target.id,
    externalId: target.externalId,
    outcome: summary.outcome,
    counts: { calls: summary.counts.calls, failedCalls: summary.counts.failedCalls },
  }
  if (failure === null && known?.digest === digest) {
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
  const { tasks, ciSteps } = summary.evidence
  const isAttempt = extra.decision !== null || tasks !== undefined || ciSteps !== undefined
  if (isAttempt) await writeEvidence(work, target.id, summary, extra.decision, isNew)
  // Who held its chains until now may have noted their size.
  if (isResumed || isAttempt) known = (await read())[0]
  const firstSeen = known?.first_seen_at ?? new Date().toISOString()
  // Known to those who link executions (`setAttempts`); what they said last stands.
  const attempts = attemptsOf(known?.marks ?? [])
  const columns = executionColumns(summary, extra, {
    parentId,
    digest,
    externalId: target.externalId,
    attempts,
    failure,
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
      tx<RowOf<'executions', 'id'>[]>`
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
  // One whose analysis broke is only counted and announced: what broke may be a note of this kind.
  if (failure === null) work.changed.push({ id: target.id, outcome: summary.outcome, parentId })
  if (summary.pipeline !== null && summary.pipeline.patches.length > 0) work.withPatches.push(target.id)
  if (known) await writeCalls(tx, projectId, target.id, summary.calls)
  else work.newCalls.push({ executionId: target.id, calls: summary.calls })
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
  const runs = [...evidence.runs, ...(evidence.ciSteps ?? [])].flatMap(({ fact }) => fact.ci ?? [])
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
export const lockChains = (tx: Tx, projectId: string, ids: readonly string[]): Promise<void> =>
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
    RowOf<'sources', 'id' | 'kind' | 'name' | 'redact'>[]
  >`select id, kind, name, redact from sources where project_id = ${projectId} and id = ${target.sourceId}`
  return (await findExecutions(tx, projectId, source!, [key])).get(key)?.id ?? null
}
