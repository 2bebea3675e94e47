import { foreignKey, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { AppliedReading } from '@/lib/judge/fixes/applied'
import type { FitOutcome, FitReading } from '@/lib/judge/fixes/fit'
import { instant } from './columns'
import { fixes } from './fixes'
import { projects } from './projects'

export const mirrors = pgTable(
  'mirrors',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    id: uuid('id').notNull(),
    repository: text('repository').notNull(),
    path: text('path').notNull(),
    branch: text('branch').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), unique().on(t.projectId, t.repository)],
)

export const fixFits = pgTable(
  'fix_fits',
  {
    projectId: uuid('project_id').notNull(),
    fixId: uuid('fix_id').notNull(),
    requestedAt: instant('requested_at').notNull().defaultNow(),
    /** How often a check was asked for, and which of these the last one answers that began. */
    requests: integer('requests').notNull().default(1),
    startedFor: integer('started_for'),
    startedAt: instant('started_at'),
    checkedAt: instant('checked_at'),
    outcome: text('outcome').$type<FitOutcome>(),
    reading: jsonb('reading').$type<FitReading>(),
    applied: jsonb('applied').$type<AppliedReading>(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.fixId] }),
    foreignKey({ columns: [t.projectId, t.fixId], foreignColumns: [fixes.projectId, fixes.id] }),
  ],
)
