import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns'
import type { ChainReason } from '@/lib/model/chain-reasons'

export const receipts = pgTable(
  'receipts',
  {
    projectId: uuid('project_id').notNull(),
    streamId: uuid('stream_id').notNull(),
    chainId: text('chain_id').notNull(),
    sequence: bigint('sequence', { mode: 'number' }),
    place: bigint('place', { mode: 'bigint' })
      .notNull()
      .generatedAlwaysAs(sql`coalesce(sequence, 9223372036854775807)`),
    digest: text('digest').notNull(),
    receiptId: text('receipt_id'),
    receiptHash: text('receipt_hash'),
    status: text('status'),
    actionType: text('action_type'),
    event: text('event'),
    sessionId: text('session_id'),
    correlationId: text('correlation_id'),
    at: instant('at'),
    parentChain: text('parent_chain'),
    parentReceipt: text('parent_receipt'),
    executionId: uuid('execution_id').notNull(),
    receivedId: uuid('received_id').notNull(),
    keptStart: integer('kept_start').notNull(),
    keptEnd: integer('kept_end').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.streamId] })],
)

export const receiptKeys = pgTable(
  'receipt_keys',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    publicKey: text('public_key').notNull(),
    label: text('label').notNull(),
    chainId: text('chain_id'),
    isCurrent: boolean('is_current').notNull().default(false),
    addedBy: uuid('added_by'),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

export const chainVerdicts = pgTable(
  'chain_verdicts',
  {
    projectId: uuid('project_id').notNull(),
    chainId: text('chain_id').notNull(),
    state: text('state').notNull(),
    reason: text('reason').$type<ChainReason>(),
    badPlace: bigint('bad_place', { mode: 'bigint' }),
    badSequence: bigint('bad_sequence', { mode: 'number' }),
    badReceiptId: text('bad_receipt_id'),
    receipts: integer('receipts').notNull(),
    checkedAt: instant('checked_at').notNull().defaultNow(),
    millis: integer('millis').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.chainId] })],
)
