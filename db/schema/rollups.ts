import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Facet } from '@/lib/model/filter-types'
import { projects } from './projects'

export const facetCounts = pgTable(
  'facet_counts',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    facet: text('facet').$type<Facet | ''>().notNull(),
    value: text('value').notNull(),
    n: bigint('n', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.facet, t.value] })],
)

export const facetDeltas = pgTable(
  'facet_deltas',
  {
    projectId: uuid('project_id').notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    facet: text('facet').$type<Facet | ''>().notNull(),
    value: text('value').notNull(),
    n: integer('n').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)
