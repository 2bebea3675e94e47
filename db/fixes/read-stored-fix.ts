import type { PipelineTaskDetail } from '@/lib/model/pipeline'
import { readFix, READING_RULES, type FixReading } from '@/lib/judge/fixes/read-fix'
import { unread, type WhyUnread } from '@/lib/judge/fixes/unread'
import { lineRanges } from '@/lib/judge/patches/bytes'
import type { ByteRange } from '@/lib/judge/patches/patch'
import type { FailureFacts } from '@/lib/judge/patches/signals'
import type { Db, Tx } from '../client'
import { enqueueFits } from '../queue/enqueue'
import { readWholePatch } from '../queries/patch-bytes'
import { notifyChanged } from '../notify'
import { readingColumns, writeFilesAndFlags } from './write-fix-reading'
import type { RowOf } from '../schema/rows'

export interface FixKey {
  projectId: string
  fixId: string
}

type StoredRow = RowOf<'fixes', 'executionId' | 'task' | 'proposal'> &
  RowOf<'fix_standing', 'evidence'> &
  RowOf<'patches', 'size'> & {
    sha256: RowOf<'fixes', 'patch_sha256'>['patch_sha256']
    known: RowOf<'fix_standing', 'known_secrets'>['known_secrets']
  }

/** Reads the stored patch of a fix by the rules of today, on this thread, and lays down what they find. Nothing is done when that was done already. */
export async function readStoredFix(db: Pick<Db, 'sql'>, key: FixKey): Promise<void> {
  const { projectId, fixId } = key
  const [row] = await db.sql<StoredRow[]>`
    select f.execution_id as "executionId", f.task, s.evidence, f.proposal, f.patch_sha256 as sha256, p.size, s.known_secrets as known
    from fixes f join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256
    where f.project_id = ${projectId} and f.id = ${fixId} and s.rules <> ${READING_RULES}`
  if (!row) return
  const bytes = await readWholePatch(db, projectId, row.sha256, row.size)
  const known =
    row.known?.map(([start, end]): ByteRange => ({ start, end })) ??
    lineRanges(bytes, await flaggedLines(db, key))
  const reading = await readFix(
    bytes,
    { ...(await failureOf(db, projectId, row)), inputs: row.proposal.inputs },
    known,
  )
  await db.sql.begin(async (tx) => {
    if (!(await layDown(tx, key, row, reading, tx`rules <> ${READING_RULES}`))) return
    if (row.known === null)
      await tx`update fix_standing set known_secrets = ${JSON.stringify(known.map(({ start, end }) => [start, end]))}::text::jsonb where project_id = ${projectId} and fix_id = ${fixId}`
    const [mirror] =
      await tx`select from mirrors where project_id = ${projectId} and repository = ${row.proposal.base.repository ?? ''}`
    if (mirror) await enqueueFits(tx, projectId, [fixId])
  })
}

/** Says of a fix that was never read why that is so; one that was read by older rules stays as it was. */
export async function noteUnread(db: Pick<Db, 'sql'>, key: FixKey, why: WhyUnread): Promise<void> {
  const [row] = await db.sql<
    RowOf<'fix_standing', 'executionId' | 'evidence'>[]
  >`select execution_id as "executionId", evidence from fix_standing where project_id = ${key.projectId} and fix_id = ${key.fixId}`
  if (row)
    await db.sql.begin((tx) => layDown(tx, key, row, unread(why), tx`summary ->> 'verdict' = 'unknown'`))
}

async function layDown(
  tx: Tx,
  { projectId, fixId }: FixKey,
  { executionId, evidence }: Pick<StoredRow, 'executionId' | 'evidence'>,
  reading: FixReading,
  where: ReturnType<Tx>,
): Promise<boolean> {
  const { safety, signals, summary, facts, rules, secrets } = readingColumns(reading, evidence)
  const [open] = await tx`
    update fix_standing set safety = ${safety}, signals = ${signals}, summary = ${summary}::text::jsonb, facts = ${facts}::text::jsonb, rules = ${rules}, secrets = ${secrets}::text::jsonb
    where project_id = ${projectId} and fix_id = ${fixId} and ${where} returning fix_id`
  if (!open) return false
  await writeFilesAndFlags(tx, projectId, fixId, reading)
  await notifyChanged(tx, projectId, [executionId])
  return true
}

/** Of a fix that came before it was kept what is known to be secret: that is in its flags, and nowhere else any more. */
async function flaggedLines(
  db: Pick<Db, 'sql'>,
  { projectId, fixId }: FixKey,
): Promise<{ start: number; end: number }[]> {
  const rows = await db.sql<{ lines: { start: number; end: number } }[]>`
    select document -> 'lines' as lines from fix_flags where project_id = ${projectId} and fix_id = ${fixId} and document ->> 'code' = 'content-secret' and document -> 'lines' <> 'null'`
  return rows.map(({ lines }) => lines)
}

/** What the execution says of its failure, and of the task of async-pipeline that failed: names of the check that failed are in it. */
async function failureOf(
  db: Pick<Db, 'sql'>,
  projectId: string,
  { executionId, task }: Pick<StoredRow, 'executionId' | 'task'>,
): Promise<Omit<FailureFacts, 'inputs'>> {
  const [row] = await db.sql<{ text: string | null; failed: PipelineTaskDetail | null }[]>`
    select concat_ws(E'\n', e.cause_text, (select string_agg(concat_ws(E'\n', a.target, a.error_text), E'\n' order by a.ordinal)
      from (select ordinal, target, error_text from calls where project_id = e.project_id and execution_id = e.id and state = 'failed' order by ordinal limit ${FAILURES_READ_MAX}) a)) as text,
      jsonb_path_query_first(e.pipeline, '$.tasks[*] ? (@.id == $task)', jsonb_build_object('task', ${task}::text)) as failed
    from executions e where e.project_id = ${projectId} and e.id = ${executionId}`
  const failed = row?.failed ?? null
  const text = [row?.text, failed?.error]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join('\n')
  return {
    text: text || null,
    logTail: failed?.context?.logTail ?? null,
    claims: failed?.context?.claims ?? [],
  }
}

const FAILURES_READ_MAX = 200
