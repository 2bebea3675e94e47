import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Pointer } from '@/lib/model/execution'
import { instant } from './columns'

export const causeCorrections = pgTable(
  'cause_corrections',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    executionId: uuid('execution_id').notNull(),
    causeRule: text('cause_rule'),
    causeText: text('cause_text').notNull(),
    causePointer: jsonb('cause_pointer').$type<Pointer>(),
    causeCallId: text('cause_call_id'),
    callId: text('call_id'),
    reason: text('reason').notNull(),
    actor: text('actor').notNull(),
    actorName: text('actor_name').notNull(),
    at: instant('at').notNull().defaultNow(),
    undoneBy: text('undone_by'),
    undoneByName: text('undone_by_name'),
    undoneAt: instant('undone_at'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)
