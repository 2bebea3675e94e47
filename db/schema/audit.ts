import { bigint, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns'
import { projects } from './projects'

export const auditLog = pgTable(
  'audit_log',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
    prevHash: text('prev_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.seq] })],
)
