import type { EvidenceVerdict } from '@/lib/fixes/evidence'
import type { StoredProposal } from '@/lib/fixes/proposal'
import { lineRanges } from '@/lib/patches/bytes'
import { FLAG_RULES } from '@/lib/patches/read-flags'
import type { Db } from '../client'
import { notifyChanged } from './notify'
import { readProposed } from './read-proposed'
import { readingColumns, writeFilesAndFlags } from './write-fix-reading'

const AT_ONCE = 20

interface DueRow {
  project_id: string
  fix_id: string
  execution_id: string
  evidence: EvidenceVerdict
  proposal: StoredProposal
  bytes: Uint8Array
}

/**
 * Reads patches again that were read by other rules. The bytes, the state and what people decided stay; a flag that is new stands beside a decision
 * that was made without it. @returns how many
 */
export async function rereadFixes(db: Pick<Db, 'sql'>): Promise<number> {
  const due = await db.sql<{ project_id: string; fix_id: string }[]>`select project_id, fix_id from fix_standing where rules <> ${FLAG_RULES} order by project_id, fix_id limit ${AT_ONCE}`
  for (const { project_id: projectId, fix_id: fixId } of due) {
    const [row] = await db.sql<DueRow[]>`
      select f.project_id, f.id as fix_id, f.execution_id, s.evidence, f.proposal, p.bytes from fixes f join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id
      join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256 where f.project_id = ${projectId} and f.id = ${fixId}`
    const { execution_id: executionId, evidence, proposal, bytes } = row!
    const masked = await db.sql<{ lines: { start: number; end: number } }[]>`
      select document -> 'lines' as lines from fix_flags where project_id = ${projectId} and fix_id = ${fixId} and document ->> 'code' = 'content-secret' and document -> 'lines' <> 'null'`
    // What was known to be secret when the patch came is known from nowhere else any more.
    const reading = await readProposed(db, { projectId, executionId, bytes, proposal, secrets: lineRanges(bytes, masked.map(({ lines }) => lines)) })
    const { safety, signals, summary, facts, rules } = readingColumns(reading, evidence)
    await db.sql.begin(async (tx) => {
      const [open] = await tx`
        update fix_standing set safety = ${safety}, signals = ${signals}, summary = ${summary}::text::jsonb, facts = ${facts}::text::jsonb, rules = ${rules}
        where project_id = ${projectId} and fix_id = ${fixId} and rules <> ${FLAG_RULES} returning fix_id`
      if (!open) return
      await writeFilesAndFlags(tx, projectId, fixId, reading)
      await notifyChanged(tx, projectId, [executionId])
    })
  }
  return due.length
}
