import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { EvidenceVerdict } from '@/lib/judge/fixes/evidence'
import type { FixOrigin } from '@/lib/model/fix-states'
import type { NewReview } from '@/lib/api/fix-schemas'
import type { StoredProposal } from '@/lib/judge/fixes/proposal'
import type { StoredRun } from '@/lib/judge/fixes/secret-runs'
import { bytea, instant } from './columns'
import type { FixByteFacts, FixFile, StoredFlag, StoredReading } from '@/lib/model/fix'

export const patches = pgTable(
  'patches',
  {
    projectId: uuid('project_id').notNull(),
    sha256: text('sha256').notNull(),
    size: integer('size').notNull(),
    bytes: bytea('bytes').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.sha256] })],
)

export const fixes = pgTable(
  'fixes',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    executionId: uuid('execution_id').notNull(),
    task: text('task').notNull(),
    ordinal: integer('ordinal').notNull(),
    origin: text('origin').$type<FixOrigin>().notNull(),
    patchSha256: text('patch_sha256').notNull(),
    proposedBy: text('proposed_by').notNull(),
    proposedByName: text('proposed_by_name').notNull(),
    proposal: jsonb('proposal').$type<StoredProposal>().notNull(),
    transcriptSha256: text('transcript_sha256'),
    supersedesId: uuid('supersedes_id'),
    receivedAt: instant('received_at').notNull().defaultNow(),
    runSource: text('run_source').notNull(),
    runId: text('run_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

export const fixStanding = pgTable(
  'fix_standing',
  {
    projectId: uuid('project_id').notNull(),
    fixId: uuid('fix_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    state: text('state').notNull(),
    version: integer('version').notNull().default(1),
    changedAt: instant('changed_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    expiresAt: instant('expires_at'),
    supersededBy: uuid('superseded_by'),
    origin: text('origin').$type<FixOrigin>().notNull(),
    evidence: text('evidence').$type<EvidenceVerdict>().notNull(),
    safety: text('safety').notNull(),
    signals: text('signals').array().notNull(),
    comments: integer('comments').notNull().default(0),
    summary: jsonb('summary').$type<StoredReading>().notNull(),
    facts: jsonb('facts').$type<FixByteFacts | null>().notNull(),
    rules: text('rules').notNull(),
    secrets: jsonb('secrets').$type<StoredRun[] | null>(),
    knownSecrets: jsonb('known_secrets').$type<[number, number][] | null>(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.fixId] })],
)

const ofFix = <const Name extends string, T>(name: Name) =>
  pgTable(
    name,
    {
      projectId: uuid('project_id').notNull(),
      fixId: uuid('fix_id').notNull(),
      ordinal: integer('ordinal').notNull(),
      document: jsonb('document').$type<T>().notNull(),
    },
    (t) => [primaryKey({ columns: [t.projectId, t.fixId, t.ordinal] })],
  )

export const fixFiles = ofFix<'fix_files', FixFile>('fix_files')
export const fixFlags = ofFix<'fix_flags', StoredFlag>('fix_flags')

export const fixReviews = pgTable(
  'fix_reviews',
  {
    projectId: uuid('project_id').notNull(),
    fixId: uuid('fix_id').notNull(),
    version: integer('version').notNull(),
    id: uuid('id').notNull(),
    actor: text('actor').notNull(),
    actorName: text('actor_name').notNull(),
    at: instant('at').notNull().defaultNow(),
    fromState: text('from_state').notNull(),
    toState: text('to_state').notNull(),
    patchSha256: text('patch_sha256').notNull(),
    comment: text('comment').notNull(),
    acknowledged: text('acknowledged').array().notNull(),
    applied: jsonb('applied').$type<NonNullable<NewReview['applied']>>(),
    ownsKey: boolean('owns_key').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.fixId, t.version] })],
)

export const fixLateReviews = pgTable(
  'fix_late_reviews',
  {
    projectId: uuid('project_id').notNull(),
    fixId: uuid('fix_id').notNull(),
    actor: text('actor').notNull(),
    toState: text('to_state').notNull(),
    seenVersion: integer('seen_version').notNull(),
    actorName: text('actor_name').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.fixId, t.actor, t.toState, t.seenVersion] })],
)

export const fixComments = pgTable(
  'fix_comments',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    fixId: uuid('fix_id').notNull(),
    threadId: uuid('thread_id').notNull(),
    kind: text('kind').notNull(),
    targetId: uuid('target_id'),
    actor: text('actor').notNull(),
    actorName: text('actor_name').notNull(),
    at: instant('at').notNull().defaultNow(),
    text: text('text').notNull(),
    patchSha256: text('patch_sha256').notNull(),
    file: integer('file'),
    side: text('side'),
    lineStart: integer('line_start'),
    lineEnd: integer('line_end'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

export const fixViewed = pgTable(
  'fix_viewed',
  {
    projectId: uuid('project_id').notNull(),
    personId: uuid('person_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    fileSha256: text('file_sha256').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.personId, t.executionId, t.fileSha256] })],
)

export const fixLinks = pgTable(
  'fix_links',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    fixId: uuid('fix_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    actor: text('actor').notNull(),
    actorName: text('actor_name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    secretAcknowledged: boolean('secret_acknowledged').notNull(),
    downloads: integer('downloads').notNull().default(0),
    lastDownloadAt: instant('last_download_at'),
    revokedBy: text('revoked_by'),
    revokedByName: text('revoked_by_name'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

export const patchHandovers = pgTable(
  'patch_handovers',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    changes: integer('changes').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId] })],
)
