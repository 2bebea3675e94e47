import { reworded } from '@/lib/words/flags'
import { unknownAgent } from '@/lib/api/fix-schemas'
import { downloadName } from '@/lib/views/fixes/download-name'
import { isFixState, reviewsOf } from '@/lib/model/fix-states'
import type { Db, Sql, Tx } from '../client'
import { formatCursor, isUuid, parseCursor } from './cursor'
import { readFixRows, toFixItem, type FixRow } from './fixes'
import { readSecretRuns } from './patch-bytes'
import type { RowOf } from '../schema/rows'
import type { Page } from '@/lib/model/page'
import type {
  FixComment,
  FixDetail,
  FixFile,
  FixFlag,
  FixLateReview,
  FixReview,
  StoredFlag,
} from '@/lib/model/fix'
import { refusedAction } from '@/lib/words/actions'
import { reviewText } from '@/lib/words/server/reviews'

/** Who looks: decides what is offered, and which comments are the reader's own. */
export interface FixReader {
  /** `person:<id>` or `key:<id>`. */
  actor: string
  /** Projects in which the reader may decide on fixes. */
  reviewsIn: string[]
}

type DocumentTable = 'fix_files' | 'fix_flags'

/** Files and flags that the document of a fix carries; the others come by pages. */
const FILES_FIRST = 500
const FLAGS_FIRST = 500

/** One fix with everything but its bytes; null when none of the projects has it. */
export async function readFix(
  db: Pick<Db, 'sql'>,
  { projectIds, id, reader }: { projectIds: string[]; id: string; reader: FixReader },
): Promise<FixDetail | null> {
  if (!isUuid(id) || projectIds.length === 0) return null
  const [row] = await readFixRows(db, 'where s.project_id = any ($1::uuid[]) and s.fix_id = $2', [
    projectIds,
    id,
  ])
  if (!row) return null
  const { sql } = db
  const projectId = row.project_id
  const [files, flags, [counted], secrets, reviews, lateReviews, versions, [kept], [own]] = await Promise.all(
    [
      documents<FixFile>(db, 'fix_files', projectId, id, -1, FILES_FIRST),
      documents<StoredFlag>(db, 'fix_flags', projectId, id, -1, FLAGS_FIRST),
      sql<
        { n: number }[]
      >`select count(*)::int as n from fix_flags where project_id = ${projectId} and fix_id = ${id}`,
      readSecretRuns(db, projectId, id),
      listReviews(db, projectId, id),
      listLateReviews(db, projectId, id),
      listVersions(db, row),
      sql<
        {
          size: RowOf<'received', 'kept_length'>['kept_length']
        }[]
      >`
      select r.kept_length as size from received_keys k join received r on r.project_id = k.project_id and r.id = k.received_id
      where k.project_id = ${projectId} and k.sha256 = ${row.transcript_sha256}`,
      sql<
        { byOwnKey: boolean }[]
      >`select ${ownsKey(sql, { projectId, keyActor: row.proposed_by, personActor: reader.actor })} as "byOwnKey"`,
    ],
  )
  const whyNotReview = whyNot(row, reader, row.proposed_by)
  const { proposal } = row
  return {
    ...toFixItem(row),
    explanation: proposal.explanation,
    fileName: proposal.fileName,
    run: { source: row.run_source, id: row.run_id },
    downloadName: downloadName({
      runSource: row.run_source,
      runId: row.run_id,
      task: row.task,
      sha256: row.patch_sha256,
    }),
    base: proposal.base,
    budget: proposal.budget,
    agentDetail: { ...unknownAgent, ...proposal.agent },
    verification: proposal.verification.map((run) => ({ ...run, workspaceId: run.workspaceId ?? null })),
    contextPackSha256: proposal.contextPackSha256,
    transcript:
      row.transcript_sha256 === null || !kept ? null : { sha256: row.transcript_sha256, size: kept.size },
    mode: proposal.mode,
    enabledBy: proposal.enabledBy,
    // Fixes from before reasons were taken have none.
    reasons: proposal.reasons ?? [],
    facts: row.facts,
    files,
    flags: reworded(flags),
    flagsTotal: counted!.n,
    secretLines: secrets?.map(({ start, end }) => ({ start, end })) ?? null,
    secretsHidden:
      !reader.reviewsIn.includes(projectId) &&
      (secrets === null || row.summary.warnings.includes('content-secret')),
    reviews,
    lateReviews,
    mayBecome: isFixState(row.state) ? reviewsOf(row.state) : [],
    mayReview: whyNotReview === null,
    whyNotReview,
    byOwnKey: own!.byOwnKey,
    versions,
  }
}

/** Whether a person made the key by which something was done. Both are actors, as rows name them. */
export const ownsKey = (
  sql: Sql | Tx,
  { projectId, keyActor, personActor }: { projectId: string; keyActor: string; personActor: string },
) => sql`
  exists (select from api_key_grants where project_id = ${projectId} and 'key:' || key_id = ${keyActor} and 'person:' || created_by = ${personActor})`

function whyNot(row: FixRow, { actor, reviewsIn }: FixReader, proposedBy: string): string | null {
  if (!actor.startsWith('person:')) return refusedAction('review-fix', 'key')
  if (!reviewsIn.includes(row.project_id)) return refusedAction('review-fix', 'person')
  return proposedBy === actor ? reviewText.ownFix : null
}

export async function documents<Document>(
  db: Pick<Db, 'sql'>,
  table: DocumentTable,
  projectId: string,
  fixId: string,
  after: number,
  limit: number,
): Promise<Document[]> {
  const rows = await db.sql<{ document: Document }[]>`
    select document from ${db.sql(table)} where project_id = ${projectId} and fix_id = ${fixId} and ordinal > ${after} order by ordinal limit ${limit}`
  return rows.map(({ document }) => document)
}

interface PageOf {
  projectIds: string[]
  id: string
  cursor: string | null
  limit: number
}

/** One page of the files of a fix, in the order of the patch; null when none of the projects has it. @throws BadCursorError */
export const listFixFiles = (db: Pick<Db, 'sql'>, page: PageOf): Promise<Page<FixFile> | null> =>
  pageOf<FixFile>(db, 'fix_files', page)

/** One page of the flags of a fix, the weightiest first; null when none of the projects has it. @throws BadCursorError */
export async function listFixFlags(db: Pick<Db, 'sql'>, page: PageOf): Promise<Page<FixFlag> | null> {
  const found = await pageOf<StoredFlag>(db, 'fix_flags', page)
  return found && { ...found, items: reworded(found.items) }
}

async function pageOf<Document>(
  db: Pick<Db, 'sql'>,
  table: DocumentTable,
  { projectIds, id, cursor, limit }: PageOf,
): Promise<Page<Document> | null> {
  const projectId = await readFixProject(db, projectIds, id)
  if (projectId === null) return null
  const list = table.replace('_', '-')
  const [after] = (parseCursor(list, ['int'], cursor) ?? [-1]) as [number]
  const found = await documents<Document>(db, table, projectId, id, after, limit + 1)
  // Documents are numbered from 0 without a gap.
  return {
    items: found.slice(0, limit),
    nextCursor: found.length > limit ? formatCursor(list, after + limit) : null,
  }
}

/** The project that contains the fix, if it is one of these. */
export async function readFixProject(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  id: string,
): Promise<string | null> {
  if (!isUuid(id) || projectIds.length === 0) return null
  const [row] = await db.sql<
    RowOf<'fixes', 'project_id'>[]
  >`select project_id from fixes where project_id = any (${projectIds}::uuid[]) and id = ${id}`
  return row?.project_id ?? null
}

async function listReviews(db: Pick<Db, 'sql'>, projectId: string, fixId: string): Promise<FixReview[]> {
  const rows = await db.sql<
    (RowOf<'fix_reviews', 'id' | 'version' | 'at' | 'comment' | 'acknowledged' | 'applied' | 'ownsKey'> & {
      from: RowOf<'fix_reviews', 'from_state'>['from_state']
      to: RowOf<'fix_reviews', 'to_state'>['to_state']
      by: RowOf<'fix_reviews', 'actor_name'>['actor_name']
      sha256: RowOf<'fix_reviews', 'patch_sha256'>['patch_sha256']
    })[]
  >`
    select id, version, from_state as "from", to_state as "to", actor_name as by, at, patch_sha256 as sha256, comment, acknowledged, applied, owns_key as "ownsKey"
    from fix_reviews where project_id = ${projectId} and fix_id = ${fixId} order by version`
  return [...rows]
}

async function listVersions(
  { sql }: Pick<Db, 'sql'>,
  { project_id, execution_id, task }: FixRow,
): Promise<FixDetail['versions']> {
  const [versions, requests] = await Promise.all([
    sql<
      (RowOf<'fixes', 'id' | 'ordinal' | 'receivedAt'> &
        RowOf<'fix_standing', 'state'> & {
          sha256: RowOf<'fixes', 'patch_sha256'>['patch_sha256']
          supersedes: RowOf<'fixes', 'supersedes_id'>['supersedes_id']
        })[]
    >`
      select f.id, f.ordinal, s.state, f.patch_sha256 as sha256, f.received_at as "receivedAt", f.supersedes_id as supersedes
      from fixes f join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id
      where f.project_id = ${project_id} and f.execution_id = ${execution_id} and f.task = ${task} order by f.ordinal`,
    sql<
      (RowOf<'fix_reviews', 'at' | 'comment'> & {
        fix: RowOf<'fix_reviews', 'fix_id'>['fix_id']
        by: RowOf<'fix_reviews', 'actor_name'>['actor_name']
      })[]
    >`
      select r.fix_id as fix, r.actor_name as by, r.at, r.comment from fixes f join fix_reviews r on r.project_id = f.project_id and r.fix_id = f.id
      where f.project_id = ${project_id} and f.execution_id = ${execution_id} and f.task = ${task} and r.to_state = 'changes_requested' order by r.at`,
  ])
  return versions.map((version) => ({
    ...version,
    requests: requests.filter(({ fix }) => fix === version.id).map(({ fix: _, ...request }) => request),
  }))
}

async function listLateReviews(
  db: Pick<Db, 'sql'>,
  projectId: string,
  fixId: string,
): Promise<FixLateReview[]> {
  const rows = await db.sql<
    (RowOf<'fix_late_reviews', 'at' | 'seenVersion'> & {
      by: RowOf<'fix_late_reviews', 'actor_name'>['actor_name']
      to: RowOf<'fix_late_reviews', 'to_state'>['to_state']
    })[]
  >`
    select actor_name as by, at, to_state as "to", seen_version as "seenVersion" from fix_late_reviews where project_id = ${projectId} and fix_id = ${fixId} order by at, actor, to_state`
  return [...rows]
}

/**
 * What people said of a fix, in order; a comment that was withdrawn keeps its place without its text.
 *
 * @param versions `all`: also of the fixes whose place it took, from one to the next
 */
export async function listFixComments(
  db: Pick<Db, 'sql'>,
  projectId: string,
  fixId: string,
  actor: string,
  versions: 'own' | 'all' = 'own',
): Promise<FixComment[]> {
  const rows = await db.sql<
    (RowOf<'fix_comments', 'id' | 'kind' | 'at' | 'file' | 'side' | 'lineStart' | 'lineEnd'> &
      RowOf<'fixes', 'ordinal'> & {
        thread: RowOf<'fix_comments', 'thread_id'>['thread_id']
        fix: RowOf<'fix_comments', 'fix_id'>['fix_id']
        by: RowOf<'fix_comments', 'actor_name'>['actor_name']
        sha256: RowOf<'fix_comments', 'patch_sha256'>['patch_sha256']
        text: RowOf<'fix_comments', 'text'>['text'] | null
        isMine: boolean
        path: string | null
      })[]
  >`
    with recursive line as (
      select id, ordinal, supersedes_id from fixes where project_id = ${projectId} and id = ${fixId}
      union select f.id, f.ordinal, f.supersedes_id from fixes f join line on f.id = line.supersedes_id where f.project_id = ${projectId} and ${versions === 'all'})
    select c.id, c.thread_id as thread, c.fix_id as fix, line.ordinal, c.kind, c.actor_name as by, c.actor = ${actor} as "isMine", c.at, case when w.id is null then c.text end as text,
      c.patch_sha256 as sha256, c.file, d.document ->> 'name' as path, c.side, c.line_start as "lineStart", c.line_end as "lineEnd"
    from line join fix_comments c on c.project_id = ${projectId} and c.fix_id = line.id
    left join fix_comments w on w.project_id = c.project_id and w.fix_id = c.fix_id and w.kind = 'withdraw' and w.target_id = c.id
    left join fix_files d on d.project_id = c.project_id and d.fix_id = c.fix_id and d.ordinal = c.file
    order by c.at, c.id`
  return [...rows]
}
