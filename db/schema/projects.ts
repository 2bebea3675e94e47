import { boolean, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns'

export const projects = pgTable('projects', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export const sources = pgTable(
  'sources',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    id: uuid('id').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    redact: boolean('redact').notNull().default(true),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), unique().on(t.projectId, t.kind, t.name)],
)
