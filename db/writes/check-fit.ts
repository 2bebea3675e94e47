import { fitOutcome, isBranchName, notChecked, type FitReading, type FitSide } from '@/lib/fixes/fit'
import type { MirrorRoots } from '@/lib/fixes/mirror-roots'
import type { Sql } from '../client'
import { fitPatch, type Fit } from '../mirrors/fit-patch'
import { readFitFacts, whyNotNow, type FitFacts } from '../queries/fit'
import { readWholePatch } from '../queries/patch-bytes'
import { notifyChanged } from './notify'
import { sha256 } from './store-records'

export interface CheckFit {
  projectId: string
  fixId: string
  roots: MirrorRoots
  /** Ends the check without a result: the server is stopping. */
  signal: AbortSignal
}

/** Checks whether a fix fits its base and the head of its branch, and stores what came of it with what was checked. */
export async function checkFit(sql: Sql, { projectId, fixId, roots, signal }: CheckFit): Promise<void> {
  const started = await sql`update fix_fits set started_at = clock_timestamp() where project_id = ${projectId} and fix_id = ${fixId} returning fix_id`
  const facts = started.length === 0 ? null : await readFitFacts(sql, [projectId], fixId)
  if (facts === null) return
  const reading = { sha256: facts.patchSha256, mirrorId: facts.mirrorId, repository: facts.base.repository, branch: facts.branch, ...(await fitOf(sql, facts, roots, signal)) } satisfies FitReading
  // The job is done again by the next process.
  if (signal.aborted) throw new Error('the server is stopping')
  await sql.begin(async (tx) => {
    await tx`
      update fix_fits set checked_at = clock_timestamp(), outcome = ${fitOutcome(reading)}, reading = ${JSON.stringify(reading)}::text::jsonb where project_id = ${projectId} and fix_id = ${fixId}`
    await notifyChanged(tx, projectId, [facts.executionId])
  })
}

async function fitOf(sql: Sql, facts: FitFacts, roots: MirrorRoots, signal: AbortSignal): Promise<Fit> {
  const why = whyNotNow(facts, roots)
  const root = roots(facts.project)
  if (why !== null || root === null || facts.path === null) return neither(notChecked(why ?? 'mirrors-off'))
  const bytes = await readWholePatch({ sql }, facts.projectId, facts.patchSha256, facts.size)
  if (sha256(bytes) !== facts.patchSha256) return neither(notChecked('damaged'))
  const { commit, tree, subDir } = facts.base
  return fitPatch({ root, path: facts.path, branch: facts.branch !== null && isBranchName(facts.branch) ? facts.branch : null, base: { commit, tree, subDir }, warnings: facts.summary.warnings, bytes, signal })
}

const neither = (side: FitSide): Fit => ({ gitVersion: null, base: side, head: side })
