import type { StoredResolution } from '@/lib/model/resolution'
import type { StoredCallRetry } from '@/lib/model/retry'
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { LinkRule } from '@/lib/model/messages/links'
import type { Call } from '@/lib/model/summary'
import type { Pointer } from '@/lib/model/execution'
import type { InputChannel, EventKind } from '@/lib/model/normal-form'
import { instant } from './columns'
import type { EventFacts } from '@/lib/model/event-facts'

export const events = pgTable(
  'events',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    streamId: uuid('stream_id').notNull(),
    byteOffset: bigint('byte_offset', { mode: 'number' }).notNull(),
    length: integer('length').notNull(),
    identity: text('identity').notNull(),
    channel: text('channel').$type<InputChannel>().notNull(),
    kind: text('kind').$type<EventKind>().notNull(),
    type: text('type').notNull(),
    at: instant('at'),
    parentUuid: text('parent_uuid'),
    summary: text('summary').notNull(),
    oddReason: text('odd_reason'),
    oddDetail: text('odd_detail'),
    facts: jsonb('facts').$type<EventFacts>().notNull(),
    receivedId: uuid('received_id').notNull(),
    keptStart: integer('kept_start').notNull(),
    keptEnd: integer('kept_end').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.streamId, t.byteOffset] })],
)

export const executionStreams = pgTable(
  'execution_streams',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    streamId: uuid('stream_id').notNull(),
    events: integer('events').notNull().default(0),
    redactions: integer('redactions').notNull().default(0),
    /** Time of the first record (by offset) that has one, and where it is. */
    firstAt: instant('first_at'),
    firstAtOffset: bigint('first_at_offset', { mode: 'number' }),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.streamId] })],
)

export const calls = pgTable(
  'calls',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    callId: text('call_id').notNull(),
    tool: text('tool').notNull(),
    target: text('target'),
    looseTarget: text('loose_target'),
    inputDigest: text('input_digest').notNull(),
    state: text('state').$type<Call['state']>().notNull(),
    failureClass: text('failure_class'),
    errorText: text('error_text'),
    errorTextCut: boolean('error_text_cut').notNull().default(false),
    exitCode: integer('exit_code'),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    durationMs: doublePrecision('duration_ms'),
    callPointer: jsonb('call_pointer').$type<Pointer>(),
    resultPointer: jsonb('result_pointer').$type<Pointer>(),
    chain: integer('chain'),
    numberInChain: integer('number_in_chain'),
    linkRule: text('link_rule'),
    linkParams: jsonb('link_params').$type<LinkRule['params']>(),
    linkBasis: text('link_basis'),
    inputChanged: boolean('input_changed'),
    linkedTo: text('linked_to'),
    attachedTo: jsonb('attached_to').$type<Call['attachedTo']>(),
    resolution: jsonb('resolution').$type<StoredResolution>(),
    retry: jsonb('retry').$type<StoredCallRetry>(),
    childKey: text('child_key'),
    disagreements: jsonb('disagreements').$type<Call['disagreements']>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.ordinal] })],
)
