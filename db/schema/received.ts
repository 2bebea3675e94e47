import { bigint, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { ReingestItem } from '@/lib/api/admin-schemas'
import type { InputChannel } from '@/lib/model/normal-form'
import type { RedactionMark } from '@/lib/text/redaction/finding'
import { bytea, instant } from './columns'
import type { IngestKind } from '@/lib/model/ingest-kinds'

export const receivedKeys = pgTable(
  'received_keys',
  {
    projectId: uuid('project_id').notNull(),
    sha256: text('sha256').notNull(),
    receivedId: uuid('received_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.sha256] })],
)

export const received = pgTable(
  'received',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    sha256: text('sha256').notNull(),
    keptLength: integer('kept_length').notNull(),
    bytes: bytea('bytes').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

export const streams = pgTable(
  'streams',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    sourceId: uuid('source_id').notNull(),
    streamId: text('stream_id').notNull(),
    variantOf: text('variant_of'),
    kind: text('kind').$type<IngestKind>().notNull(),
    channel: text('channel').$type<InputChannel>().notNull(),
    fileName: text('file_name'),
    nextOffset: bigint('next_offset', { mode: 'number' }).notNull().default(0),
    context: jsonb('context'),
    firstAt: instant('first_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), unique().on(t.projectId, t.sourceId, t.streamId)],
)

/** Where a line that was changed by redaction is in the original, and the digest of the original line. All others are as they came. */
export type LineMap = [keptStart: number, offset: number, length: number, digest: string][]

export const PART_STATES = ['folded', 'pending'] as const
export type PartState = (typeof PART_STATES)[number]

export const streamParts = pgTable(
  'stream_parts',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    streamId: uuid('stream_id').notNull(),
    byteOffset: bigint('byte_offset', { mode: 'number' }).notNull(),
    originalLength: integer('original_length').notNull(),
    originalSha256: text('original_sha256').notNull(),
    receivedId: uuid('received_id').notNull(),
    state: text('state').$type<PartState>().notNull(),
    marks: jsonb('marks').$type<RedactionMark[]>().notNull().default([]),
    lines: jsonb('lines').$type<LineMap>(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    unique().on(t.projectId, t.streamId, t.byteOffset, t.originalSha256),
  ],
)

export const oddInput = pgTable(
  'odd_input',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    streamId: uuid('stream_id'),
    executionId: uuid('execution_id'),
    receivedId: uuid('received_id'),
    byteOffset: bigint('byte_offset', { mode: 'number' }).notNull(),
    line: integer('line'),
    reason: text('reason').notNull(),
    detail: text('detail').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

/** What is rebuilt one after the other; of `fixes` there is no count. */
export const REINGEST_PHASES = ['streams', 'executions', 'fixes'] as const
export type ReingestPhase = (typeof REINGEST_PHASES)[number]

export const reingests = pgTable(
  'reingests',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    state: text('state').notNull(),
    phase: text('phase').$type<ReingestPhase>().notNull(),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    streams: integer('streams').notNull().default(0),
    executions: integer('executions').notNull().default(0),
    records: integer('records').notNull().default(0),
    quarantined: integer('quarantined').notNull().default(0),
    problems: jsonb('problems').$type<ReingestItem['problems']>().notNull().default([]),
    problemsTotal: integer('problems_total').notNull().default(0),
    cursor: uuid('cursor'),
    error: text('error'),
    requestedBy: text('requested_by').notNull(),
    requestedAt: instant('requested_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    stopRequestedBy: text('stop_requested_by'),
    /** When a process last worked on it; null: none does. */
    workedAt: instant('worked_at'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)
