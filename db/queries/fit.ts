import type { FixFit } from '@/lib/api/fit-schemas'
import type { AppliedReading } from '@/lib/judge/fixes/applied'
import { isBranchName, whyNotGiven, type FitReading } from '@/lib/judge/fixes/fit'
import type { NotChecked } from '@/lib/model/fits'
import type { MirrorRoots } from '@/lib/connections/mirror-roots'
import type { StoredProposal } from '@/lib/judge/fixes/proposal'
import type { Sql } from '../client'
import { lookAtMirror } from '../mirrors/look-at-mirror'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'
import { refusedAction } from '@/lib/words/actions'

/** What a check needs to know of a fix, and what the last one found. */
export type FitFacts = RowOf<'fixes', 'projectId' | 'executionId' | 'patchSha256' | 'origin'> &
  RowOf<'patches', 'size'> &
  RowOf<'fix_standing', 'summary'> &
  RowOf<'fix_fits', 'checkedAt' | 'outcome' | 'reading' | 'applied'> & {
    project: RowOf<'projects', 'slug'>['slug']
    mirrorId: RowOf<'mirrors', 'id'>['id'] | null
    path: RowOf<'mirrors', 'path'>['path'] | null
    requestedAt: RowOf<'fix_fits', 'requestedAt'>['requestedAt'] | null
    base: StoredProposal['base']
    /** The branch that the fix names, else that of the mirror. */
    branch: string | null
    /** What a person reports to have done; null: nobody has. */
    report: { commit: string | null } | null
    standing: FixFit['standing']
  }

/** A check that began so long ago was lost with its process. */
const LOST_SECONDS = 180

/** Null when none of the projects has the fix. */
export async function readFitFacts(sql: Sql, projectIds: string[], fixId: string): Promise<FitFacts | null> {
  if (!isUuid(fixId) || projectIds.length === 0) return null
  const [row] = await sql<FitFacts[]>`
    select f.project_id as "projectId", j.slug as project, f.execution_id as "executionId", f.patch_sha256 as "patchSha256", p.size, f.proposal -> 'base' as base, f.origin, s.summary,
      m.id as "mirrorId", m.path, coalesce(f.proposal -> 'base' ->> 'branch', m.branch) as branch, c.requested_at as "requestedAt", c.checked_at as "checkedAt", c.outcome, c.reading, c.applied,
      (select r.applied from fix_reviews r where r.project_id = f.project_id and r.fix_id = f.id and r.to_state = 'applied' order by r.version desc limit 1) as report,
      case when c.fix_id is null then 'none' when c.started_for is null or c.requests > c.started_for then 'waiting'
        when (c.checked_at is null or c.checked_at < c.started_at) and c.started_at > now() - make_interval(secs => ${LOST_SECONDS}) then 'running'
        when c.reading is null then 'none' else 'checked' end as standing
    from fixes f join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256
    join projects j on j.id = f.project_id
    left join mirrors m on m.project_id = f.project_id and m.repository = coalesce(f.proposal -> 'base' ->> 'repository', '')
    left join fix_fits c on c.project_id = f.project_id and c.fix_id = f.id
    where f.project_id = any (${projectIds}::uuid[]) and f.id = ${fixId}`
  return row ?? null
}

/** Why a check cannot be made now; null when it can. */
export function whyNotNow(
  { summary, project, mirrorId, base }: FitFacts,
  roots: MirrorRoots,
): NotChecked | null {
  if (mirrorId === null)
    return (
      whyNotGiven(summary) ??
      (roots(project) === null ? 'mirrors-off' : base.repository === null ? 'no-repository' : 'no-mirror')
    )
  return whyNotGiven(summary) ?? (roots(project) === null ? 'mirrors-off' : null)
}

/** Whether a fix still fits, as far as was checked; where the branch stands is looked at now. */
export async function readFit(
  sql: Sql,
  {
    projectIds,
    id,
    roots,
    checksIn,
  }: { projectIds: string[]; id: string; roots: MirrorRoots; checksIn: string[] },
): Promise<FixFit | null> {
  const facts = await readFitFacts(sql, projectIds, id)
  if (facts === null) return null
  const why = whyNotNow(facts, roots)
  const { reading, standing } = facts
  const whyNotCheck = checksIn.includes(facts.projectId) ? null : refusedAction('check-fit', 'person')
  const may = { applied: appliedOf(facts, why), mayCheck: whyNotCheck === null && why === null, whyNotCheck }
  if (reading === null) {
    const known = why === null ? standing : 'none'
    return {
      standing: known,
      outcome: 'not-checked',
      why: why ?? 'never',
      requestedAt: facts.requestedAt,
      checkedAt: null,
      sha256: null,
      gitVersion: null,
      repository: facts.base.repository,
      branch: facts.branch,
      base: null,
      head: null,
      headNow: null,
      stale: null,
      ...may,
    }
  }
  const now = standing === 'checked' ? await staleness(facts, reading, roots) : { headNow: null, stale: null }
  return {
    standing,
    outcome: facts.outcome ?? 'not-checked',
    why: reading.head.why ?? reading.base.why,
    requestedAt: facts.requestedAt,
    checkedAt: facts.checkedAt,
    sha256: reading.sha256,
    gitVersion: reading.gitVersion,
    repository: reading.repository,
    branch: reading.branch,
    base: reading.base,
    head: reading.head,
    ...now,
    ...may,
  }
}

/** What is known of a reported application; null when none was reported. */
function appliedOf(
  { report, applied, base, branch }: FitFacts,
  why: NotChecked | null,
): AppliedReading | null {
  if (report === null) return null
  return (
    applied ?? {
      outcome: 'not-checked',
      why: why ?? 'never',
      commit: null,
      repository: base.repository,
      branch: report.commit === null ? branch : null,
      others: [],
      othersTotal: 0,
    }
  )
}

async function staleness(
  facts: FitFacts,
  { mirrorId, branch, head }: FitReading,
  roots: MirrorRoots,
): Promise<Pick<FixFit, 'headNow' | 'stale'>> {
  if (facts.mirrorId !== mirrorId || facts.branch !== branch)
    return { headNow: null, stale: 'mirror-changed' }
  if (facts.path === null || branch === null || !isBranchName(branch)) return { headNow: null, stale: null }
  const look = await lookAtMirror(roots(facts.project), facts.path, branch)
  if ('trouble' in look) return { headNow: null, stale: 'mirror-gone' }
  if (look.head === head.commit) return { headNow: look.head, stale: null }
  return { headNow: look.head, stale: look.head === null ? 'branch-gone' : 'head-moved' }
}
