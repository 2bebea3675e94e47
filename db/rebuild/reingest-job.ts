import { v7 } from 'uuid'
import { describeFailure } from '@/lib/analysis/analysis-failure'
import { storableDeep } from '@/lib/formats/storable'
import { limits } from '@/lib/limits'
import type { Sql, Tx } from '../client'
import type { FixStore } from '../fixes/patch-reader'
import { enqueueReingest } from '../queue/enqueue'
import { isRetryable, isStoreDown, sqlState } from '../sql-state'
import { recordAudit } from '../audit'
import { countReingest, FIRST_ID, reingestBatch, reingestFixes, type ReingestProblem } from './reingest'
import { REINGEST_PHASES } from '../schema/received'
import type { RowOf } from '../schema/rows'
import { storeText } from '@/lib/words/server/store'

/** `stopped`: a person ended it; what was rebuilt stays rebuilt. */
export const REINGEST_STATES = ['queued', 'running', 'done', 'stopped', 'failed'] as const
export type ReingestState = (typeof REINGEST_STATES)[number]

export interface ReingestKey {
  projectId: string
  id: string
}

/** Seconds without a word after which a job is taken to be left by a process that ended. */
export const LEFT_SECONDS = 60

/**
 * Asks for a whole project to be rebuilt, with an entry in the audit log.
 *
 * @returns the id of the job; `isNew` false: one was open already, and is the one
 */
export const requestReingest = (
  sql: Sql,
  { projectId, actor }: { projectId: string; actor: string },
): Promise<{ id: string; isNew: boolean }> =>
  sql.begin(async (tx) => {
    const id = v7()
    const [made] = await tx`
      insert into reingests (project_id, id, state, phase, requested_by) values (${projectId}, ${id}, 'queued', 'streams', ${actor})
      on conflict (project_id) where state in ('queued', 'running') do nothing returning id`
    if (!made) {
      const [open] = await tx<RowOf<'reingests', 'id'>[]>`
        select id from reingests where project_id = ${projectId} and state in ('queued', 'running')`
      // It has ended between the two statements: whoever asks again begins another one.
      if (!open) throw new Error(storeText.reingestEnded)
      return { id: open.id, isNew: false }
    }
    await recordAudit(tx, { projectId, actor, action: 'reingest.start', subject: id })
    await enqueueReingest(tx, { projectId, id })
    return { id, isNew: true }
  })

/**
 * Asks a job to stop: at once when nobody has begun it, else after its current step.
 *
 * @returns false when it was over already
 */
export const stopReingest = (sql: Sql, { projectId, id }: ReingestKey, actor: string): Promise<boolean> =>
  sql.begin(async (tx) => {
    const [row] = await tx<{ asked: boolean }[]>`
      update reingests r set stop_requested_by = coalesce(r.stop_requested_by, ${actor}) from (
        select stop_requested_by is not null as asked from reingests where project_id = ${projectId} and id = ${id} for update) before
      where project_id = ${projectId} and id = ${id} and state in ('queued', 'running') returning before.asked`
    if (!row) return false
    if (!row.asked) await recordAudit(tx, { projectId, actor, action: 'reingest.stop', subject: id })
    // Nobody is at work on it, so nobody would come to its end.
    await tx`
      update reingests set state = 'stopped', ended_at = now() where project_id = ${projectId} and id = ${id} and state in ('queued', 'running')
        and (worked_at is null or worked_at < now() - make_interval(secs => ${LEFT_SECONDS}))`
    return true
  })

/** Takes a job that nobody works on. @returns false when there is none, or somebody else is at it */
export async function claimReingest(sql: Sql, { projectId, id }: ReingestKey): Promise<boolean> {
  const rows = await sql`
    update reingests set state = 'running', started_at = coalesce(started_at, now()), worked_at = now() where project_id = ${projectId} and id = ${id}
      and state in ('queued', 'running') and (worked_at is null or worked_at < now() - make_interval(secs => ${LEFT_SECONDS})) returning id`
  return rows.length > 0
}

/** Lets go of a job, so that whoever comes next continues with it at once. */
export async function releaseReingest(sql: Sql, { projectId, id }: ReingestKey): Promise<void> {
  await sql`update reingests set worked_at = null where project_id = ${projectId} and id = ${id} and state = 'running'`
}

type Row = RowOf<'reingests', 'phase' | 'cursor' | 'total' | 'done' | 'stopRequestedBy'>

/**
 * Takes the next step of a job that was claimed: a few streams or executions.
 *
 * @returns false when there is nothing more to do: it is done, was stopped, or broke
 * @throws when the database is away or busy; the job stays as it is
 */
export async function stepReingest(
  db: FixStore,
  key: ReingestKey,
  { failureTag }: { failureTag?: string } = {},
): Promise<boolean> {
  const { projectId, id } = key
  const { sql } = db
  const [row] = await sql<Row[]>`
    select phase, cursor, total, done, stop_requested_by as "stopRequestedBy" from reingests where project_id = ${projectId} and id = ${id} and state = 'running'`
  if (!row) return false
  if (row.stopRequestedBy !== null) return end(sql, key, 'stopped')
  try {
    return await takeStep(db, key, row, failureTag)
  } catch (error) {
    if (isPassing(error)) throw error
    const { error: name, message } = describeFailure(error)
    return end(sql, key, 'failed', `${name}: ${message}`)
  }
}

/** Classes of SQLSTATE about the server: resources, what is in the way, an operator, the system. */
const OF_THE_SERVER = /^(53|55|57|58)...$/

const isPassing = (error: unknown): boolean =>
  isStoreDown(error) || isRetryable(error) || OF_THE_SERVER.test(sqlState(error) ?? '')

async function takeStep(
  db: FixStore,
  key: ReingestKey,
  { phase, cursor, total }: Row,
  failureTag: string | undefined,
): Promise<boolean> {
  const { sql } = db
  const { projectId, id } = key
  if (phase === 'fixes') {
    const problems = await reingestFixes(db, { projectId })
    await noteProblems(sql, key, problems)
    return end(sql, key, 'done')
  }
  if (cursor === null && total === 0)
    await sql`update reingests set total = ${await countReingest(db, phase, { projectId })} where project_id = ${projectId} and id = ${id}`
  const batch = await reingestBatch(db, phase, cursor ?? FIRST_ID, { projectId, failureTag })
  if (batch.last === null) {
    const next = REINGEST_PHASES[REINGEST_PHASES.indexOf(phase) + 1]!
    await sql`
      update reingests set phase = ${next}, cursor = null, done = 0, total = 0, worked_at = now()
      where project_id = ${projectId} and id = ${id} and phase = ${phase} and cursor is not distinct from ${cursor}`
    return true
  }
  // Counted once, also when two processes took the same step.
  const [noted] = await sql`
    update reingests set cursor = ${batch.last}, done = done + ${batch.done}, worked_at = now(), records = records + ${batch.records},
      streams = streams + ${phase === 'streams' ? batch.done : 0}, executions = executions + ${batch.analysed}, quarantined = quarantined + ${batch.quarantined}
    where project_id = ${projectId} and id = ${id} and phase = ${phase} and cursor is not distinct from ${cursor} returning id`
  if (noted) await noteProblems(sql, key, batch.problems)
  return true
}

async function noteProblems(
  sql: Sql,
  { projectId, id }: ReingestKey,
  problems: readonly ReingestProblem[],
): Promise<void> {
  if (problems.length === 0) return
  await sql`
    update reingests set problems_total = problems_total + ${problems.length},
      problems = (select coalesce(jsonb_agg(p order by n), '[]') from (
        select p, n from jsonb_array_elements(problems || ${JSON.stringify(storableDeep(problems))}::text::jsonb) with ordinality e(p, n)
        order by n limit ${limits.reingestProblemsKept}) kept)
    where project_id = ${projectId} and id = ${id}`
}

async function end(
  sql: Sql,
  { projectId, id }: ReingestKey,
  state: Exclude<ReingestState, 'queued' | 'running'>,
  error: string | null = null,
): Promise<false> {
  await sql.begin(async (tx: Tx) => {
    const [row] = await tx<RowOf<'reingests', 'streams' | 'executions' | 'quarantined'>[]>`
      update reingests set state = ${state}, error = ${error}, ended_at = now(), worked_at = null where project_id = ${projectId} and id = ${id} and state = 'running'
      returning streams, executions, quarantined`
    if (row)
      await recordAudit(tx, {
        projectId,
        actor: 'system',
        action: 'reingest.end',
        subject: id,
        detail: { state, ...row },
      })
  })
  return false
}
