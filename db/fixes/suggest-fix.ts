import { fixProposal, type NewSuggestion } from '@/lib/api/fix-schemas'
import { movedRanges, suggestPatch } from '@/lib/judge/fixes/suggest'
import type { SuggestRefusal } from '@/lib/model/fits'
import { lineRanges } from '@/lib/judge/patches/bytes'
import type { FixStore } from './patch-reader'
import { proposeFix, type Proposed } from './propose-fix'
import type { RowOf } from '../schema/rows'

export interface SuggestFix {
  projectId: string
  fixId: string
  /** A person's: `person:<id>`. */
  actor: string
  actorName: string
  suggestion: NewSuggestion
}

type FixRow = RowOf<'fixes', 'execution_id' | 'task' | 'patch_sha256' | 'proposal'> &
  RowOf<'fix_standing', 'state' | 'version'> &
  RowOf<'patches', 'bytes'> & {
    file: string | null
  }

/**
 * Proposes a patch with other lines as a fix of its own, superseding the one that it was made of. What is known of the failure and the base goes
 * with it; evidence, budget and agent do not: nobody ran these bytes. @returns `no-such-fix` also for bytes that the fix does not have
 */
export async function suggestFix(
  db: FixStore,
  { projectId, fixId, actor, actorName, suggestion }: SuggestFix,
): Promise<Proposed | { refused: SuggestRefusal }> {
  const [fix] = await db.sql<FixRow[]>`
    select f.execution_id, f.task, f.patch_sha256, f.proposal, s.state, s.version, d.document ->> 'name' as file, p.bytes
    from fixes f join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256
    left join fix_files d on d.project_id = f.project_id and d.fix_id = f.id and d.ordinal = ${suggestion.file}
    where f.project_id = ${projectId} and f.id = ${fixId}`
  if (!fix || fix.patch_sha256 !== suggestion.sha256) return { refused: 'no-such-fix' }
  if (fix.version !== suggestion.version) return { refused: 'stale', state: fix.state }
  const made = suggestPatch(fix.bytes, suggestion)
  if ('refused' in made) return made
  // What was known to be secret when the patch came is known from nowhere else any more.
  const masked = await db.sql<{ lines: { start: number; end: number } }[]>`
    select document -> 'lines' as lines from fix_flags where project_id = ${projectId} and fix_id = ${fixId} and document ->> 'code' = 'content-secret' and document -> 'lines' <> 'null'`
  const { title, base, contextPackSha256, inputs, expiresAt } = fix.proposal
  const { start, lines, reason } = suggestion
  return proposeFix(db, {
    projectId,
    executionId: fix.execution_id,
    bytes: made.bytes,
    secrets: movedRanges(
      lineRanges(
        fix.bytes,
        masked.map((one) => one.lines),
      ),
      made.edits,
    ),
    actor,
    actorName,
    supersededVersion: suggestion.version,
    proposal: {
      ...fixProposal.parse({}),
      origin: 'suggestion',
      task: fix.task,
      title,
      base,
      contextPackSha256,
      inputs,
      expiresAt,
      supersedes: fixId,
      explanation: reason,
      reasons:
        fix.file === null
          ? []
          : [{ file: fix.file, line: lines.length > 0 ? start : Math.max(1, start - 1), text: reason }],
    },
  })
}
