import { revivedRun, type SecretRun } from '@/lib/judge/fixes/secret-runs'
import type { Db } from '../client'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'

/** What it is named after (`runSource`, `runId`, `task`): see `downloadName`. */
export type PatchAbout = RowOf<
  'fixes',
  'projectId' | 'executionId' | 'runSource' | 'runId' | 'task' | 'transcriptSha256'
> &
  RowOf<'patches', 'size'> & {
    sha256: RowOf<'fixes', 'patch_sha256'>['patch_sha256']
    /** A rule found what looks like a secret in it, or none has looked. */
    holdsSecret: boolean
    /** It is not known which lines hold secrets. */
    isUnread: boolean
  }

/** What a download needs to know before any byte is read; null when none of the projects has the fix. */
export async function readPatchAbout(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  fixId: string,
): Promise<PatchAbout | null> {
  if (!isUuid(fixId) || projectIds.length === 0) return null
  const [row] = await db.sql<PatchAbout[]>`
    select f.project_id as "projectId", f.execution_id as "executionId", f.run_source as "runSource", f.run_id as "runId", f.task, f.patch_sha256 as sha256, p.size, f.transcript_sha256 as "transcriptSha256", (s.secrets is null or s.summary -> 'warnings' ? 'content-secret') as "holdsSecret", s.secrets is null as "isUnread"
    from fixes f join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256 join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id
    where f.project_id = any (${projectIds}::uuid[]) and f.id = ${fixId}`
  return row ?? null
}

/** A range of a patch; what lies outside of it is not read from disk. @param end exclusive */
export async function readPatchRange(
  db: Pick<Db, 'sql'>,
  projectId: string,
  sha256: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  const [row] = await db.sql<{ bytes: Buffer }[]>`
    select substring(bytes from ${start + 1}::int for ${Math.max(0, end - start)}::int) as bytes from patches where project_id = ${projectId} and sha256 = ${sha256}`
  return row!.bytes
}

/** A whole patch, held once: it is read range by range, because the client makes text of all that one statement answers. The digest is not compared. */
export async function readWholePatch(
  db: Pick<Db, 'sql'>,
  projectId: string,
  sha256: string,
  size: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += RANGE_BYTES)
    bytes.set(await readPatchRange(db, projectId, sha256, at, Math.min(at + RANGE_BYTES, size)), at)
  return bytes
}

const RANGE_BYTES = 1024 * 1024

/** Lines of a patch that hold what looks like a secret, in order; null when they are not known. */
export async function readSecretRuns(
  db: Pick<Db, 'sql'>,
  projectId: string,
  fixId: string,
): Promise<SecretRun[] | null> {
  const [row] = await db.sql<
    RowOf<'fix_standing', 'secrets'>[]
  >`select secrets from fix_standing where project_id = ${projectId} and fix_id = ${fixId}`
  return row?.secrets?.map(revivedRun) ?? null
}
