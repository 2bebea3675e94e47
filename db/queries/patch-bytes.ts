import type { Db } from '../client'
import { isUuid } from './cursor'

export interface PatchAbout {
  projectId: string
  executionId: string
  /** What it is named after: see `downloadName`. */
  runSource: string
  runId: string
  task: string
  sha256: string
  size: number
  transcriptSha256: string | null
  /** A rule found what looks like a secret in it. */
  holdsSecret: boolean
}

/** What a download needs to know before any byte is read; null when none of the projects has the fix. */
export async function readPatchAbout(db: Pick<Db, 'sql'>, projectIds: string[], fixId: string): Promise<PatchAbout | null> {
  if (!isUuid(fixId) || projectIds.length === 0) return null
  const [row] = await db.sql<PatchAbout[]>`
    select f.project_id as "projectId", f.execution_id as "executionId", f.run_source as "runSource", f.run_id as "runId", f.task, f.patch_sha256 as sha256, p.size, f.transcript_sha256 as "transcriptSha256", s.summary -> 'warnings' ? 'content-secret' as "holdsSecret"
    from fixes f join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256 join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id
    where f.project_id = any (${projectIds}::uuid[]) and f.id = ${fixId}`
  return row ?? null
}

/** A range of a patch; what lies outside of it is not read from disk. @param end exclusive */
export async function readPatchRange(db: Pick<Db, 'sql'>, projectId: string, sha256: string, start: number, end: number): Promise<Uint8Array> {
  const [row] = await db.sql<{ bytes: Buffer }[]>`
    select substring(bytes from ${start + 1}::int for ${Math.max(0, end - start)}::int) as bytes from patches where project_id = ${projectId} and sha256 = ${sha256}`
  return row!.bytes
}
