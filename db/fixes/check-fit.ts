import type { AppliedReading } from '@/lib/judge/fixes/applied'
import { fitOutcome, isBranchName, notChecked, type FitReading, type FitSide } from '@/lib/judge/fixes/fit'
import type { MirrorRoots } from '@/lib/connections/mirror-roots'
import type { Sql } from '../client'
import { fitPatch, type Fit } from '../mirrors/fit-patch'
import { seeApplied } from '../mirrors/see-applied'
import { eachFixFile } from '../queries/fix-provenance'
import { readFitFacts, whyNotNow, type FitFacts } from '../queries/fit'
import { readWholePatch } from '../queries/patch-bytes'
import { notifyChanged } from '../notify'
import { sha256 } from '../sha256'
import type { RowOf } from '../schema/rows'
import type { FixFile } from '@/lib/model/fix'
import { storeText } from '@/lib/words/server/store'

export interface CheckFit {
  projectId: string
  fixId: string
  roots: MirrorRoots
  /** Ends the check without a result: the server is stopping. */
  signal: AbortSignal
}

/** Checks whether a fix fits its base and the head of its branch, and stores what came of it with what was checked. */
export async function checkFit(sql: Sql, { projectId, fixId, roots, signal }: CheckFit): Promise<void> {
  const [started] = await sql<
    {
      request: RowOf<'fix_fits', 'requests'>['requests']
    }[]
  >`update fix_fits set started_at = clock_timestamp(), started_for = requests where project_id = ${projectId} and fix_id = ${fixId} returning requests as request`
  const facts = started === undefined ? null : await readFitFacts(sql, [projectId], fixId)
  if (started === undefined || facts === null) return
  const reading = {
    sha256: facts.patchSha256,
    mirrorId: facts.mirrorId,
    repository: facts.base.repository,
    branch: facts.branch,
    ...(await fitOf(sql, facts, roots, signal)),
  } satisfies FitReading
  const applied = await lookForApplied(sql, facts, fixId, roots, signal)
  // The job is done again by the next process.
  if (signal.aborted) throw new Error(storeText.serverStopping)
  await sql.begin(async (tx) => {
    // One that was asked for later has seen more, and answers for both.
    const written = await tx`
      update fix_fits set checked_at = clock_timestamp(), outcome = ${fitOutcome(reading)}, reading = ${JSON.stringify(reading)}::text::jsonb,
        applied = coalesce(${applied === null ? null : JSON.stringify(applied)}::text::jsonb, applied) where project_id = ${projectId} and fix_id = ${fixId} and started_for = ${started.request}`
    if (written.count > 0) await notifyChanged(tx, projectId, [facts.executionId])
  })
}

/** Whether what was reported as applied is there. What was seen once stays seen: the branch may have gone on since. */
async function lookForApplied(
  sql: Sql,
  facts: FitFacts,
  fixId: string,
  roots: MirrorRoots,
  signal: AbortSignal,
): Promise<AppliedReading | null> {
  const { report, applied, base, branch, path, summary } = facts
  if (report === null || applied?.outcome === 'seen') return applied
  const about = { repository: base.repository, branch: report.commit === null ? branch : null }
  const root = roots(facts.project)
  const why = whyNotNow(facts, roots)
  if (why !== null || root === null || path === null)
    return {
      outcome: 'not-checked',
      why: why ?? 'mirrors-off',
      commit: null,
      others: [],
      othersTotal: 0,
      ...about,
    }
  const bytes = await readWholePatch({ sql }, facts.projectId, facts.patchSha256, facts.size)
  const files: FixFile[] = []
  // The index lines of a suggestion are those of the patch that it was made of.
  const isExact = facts.origin !== 'suggestion'
  for await (const page of eachFixFile({ sql }, facts.projectId, fixId))
    files.push(...(isExact ? page : page.map((file) => ({ ...file, newBlob: null }))))
  const given = {
    commit: report.commit,
    branch: branch !== null && isBranchName(branch) ? branch : null,
    base: { commit: base.commit, tree: base.tree, subDir: base.subDir },
    warnings: summary.warnings,
  }
  return { ...(await seeApplied({ root, path, ...given, files, bytes, signal })), ...about }
}

async function fitOf(sql: Sql, facts: FitFacts, roots: MirrorRoots, signal: AbortSignal): Promise<Fit> {
  const why = whyNotNow(facts, roots)
  const root = roots(facts.project)
  if (why !== null || root === null || facts.path === null) return neither(notChecked(why ?? 'mirrors-off'))
  const bytes = await readWholePatch({ sql }, facts.projectId, facts.patchSha256, facts.size)
  if (sha256(bytes) !== facts.patchSha256) return neither(notChecked('damaged'))
  const { commit, tree, subDir } = facts.base
  return fitPatch({
    root,
    path: facts.path,
    branch: facts.branch !== null && isBranchName(facts.branch) ? facts.branch : null,
    base: { commit, tree, subDir },
    warnings: facts.summary.warnings,
    bytes,
    signal,
  })
}

const neither = (side: FitSide): Fit => ({ gitVersion: null, base: side, head: side })
