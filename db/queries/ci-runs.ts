import type { CiMembership } from '@/lib/api/schemas'
import { FAILED_OUTCOMES } from '@/lib/views/ci/ci-view'
import type { Db } from '../client'
import { columnsOf, computed, joinLists, runText, type Selected } from '../statement-text'
import { ATTEMPT_COLUMNS, toChainAttempt, type AttemptRow } from './chains'
import type { RowOf } from '../schema/rows'
import type { CiExecution } from '@/lib/views/attempts/chain'

export interface CiRunKey {
  provider: string
  path: string
  run: string
  /** Null: all attempts of the run. */
  attempt: number | null
  /** Only what was first seen within so many hours; null or left out: all. */
  hoursMax?: number | null
}

export interface CiExecutions {
  items: CiExecution[]
  /** Executions of the run beyond those that are listed. */
  leftOut: number
}

const EXECUTIONS_MAX = 500
const FAILED = FAILED_OUTCOMES.map((outcome) => `'${outcome}'`).join(', ')

const CI = joinLists(
  columnsOf('ci_runs r', ['job', 'url', 'commit_sha']),
  computed<{ ci_attempt: RowOf<'ci_runs', 'attempt'>['attempt']; total: number }>(
    'r.attempt as ci_attempt, count(*) over ()::int as total',
  ),
)

/**
 * The executions of one CI run: what failed first, then the newest attempt, then by time. Those that name no attempt belong to each.
 * Parents only: what a sub-agent did is on its parent's page.
 */
export async function listCiExecutions(
  db: Db,
  projectIds: string[],
  { provider, path, run, attempt, hoursMax = null }: CiRunKey,
): Promise<CiExecutions> {
  if (projectIds.length === 0 || [provider, path, run].some((part) => part === '' || part.includes('\0')))
    return { items: [], leftOut: 0 }
  const rows = await runText<AttemptRow & Selected<typeof CI>>(db, {
    text: `select ${ATTEMPT_COLUMNS}, ${CI.text}
     from ci_runs r join executions e on e.project_id = r.project_id and e.id = r.execution_id
     left join decisions d on d.project_id = e.project_id and d.execution_id = e.id
     where r.project_id = any ($1::uuid[]) and r.provider = $2 and r.path = $3 and r.run = $4 and ($5::int is null or r.attempt is null or r.attempt = $5)
       and ($6::int is null or e.first_seen_at > now() - make_interval(hours => $6))
     order by (e.outcome in (${FAILED})) desc, r.attempt desc nulls last, e.sort_at, e.id limit ${EXECUTIONS_MAX}`,
    params: [projectIds, provider, path, run, attempt, hoursMax],
  })
  const items = rows.map((row) => ({
    ...toChainAttempt(row, row.ci_attempt),
    ciAttempt: row.ci_attempt,
    job: row.job,
    runUrl: row.url,
    commit: row.commit_sha,
  }))
  return { items, leftOut: (rows[0]?.total ?? 0) - items.length }
}

/** Whether anything of this provider has ever arrived in these projects. */
export async function hasCiProvider(db: Db, projectIds: string[], provider: string): Promise<boolean> {
  if (projectIds.length === 0 || provider.includes('\0')) return false
  const [row] = await db.sql<
    { has: boolean }[]
  >`select exists (select from ci_runs where project_id = any (${projectIds}::uuid[]) and provider = ${provider}) as has`
  return row!.has
}

/** The CI runs that an execution was part of, in the order of their names. */
export async function listCiMemberships(
  db: Db,
  projectId: string,
  executionId: string,
): Promise<CiMembership[]> {
  const rows = await db.sql<
    RowOf<'ci_runs', 'provider' | 'path' | 'run' | 'attempt' | 'job' | 'url' | 'commit'>[]
  >`
    select provider, path, run, attempt, job, url, commit_sha as commit from ci_runs
    where project_id = ${projectId} and execution_id = ${executionId} order by provider, path, run`
  return [...rows]
}
