import type { CheckVerdict } from '@/lib/model/parity'
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { CheckedLayer, CheckTrigger, StoredDifference } from '@/lib/judge/parity/stored-check'
import { instant } from './columns'

export const parityChecks = pgTable(
  'parity_checks',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    id: uuid('id').notNull(),
    checkedAt: instant('checked_at').notNull(),
    trigger: text('trigger').$type<CheckTrigger>().notNull(),
    verdict: text('verdict').$type<CheckVerdict>().notNull(),
    worst: text('worst'),
    lostFrom: text('lost_from'),
    lostTo: text('lost_to'),
    layers: jsonb('layers').$type<CheckedLayer[]>().notNull(),
    differences: jsonb('differences').$type<StoredDifference[]>().notNull(),
    differencesTotal: integer('differences_total').notNull(),
    isWhole: boolean('is_whole').notNull(),
    changedParts: text('changed_parts').array().notNull(),
    failedControls: text('failed_controls').array().notNull(),
    millis: integer('millis').notNull(),
    comparedBy: text('compared_by').notNull(),
    executionVersion: integer('execution_version').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.id] })],
)

export const parityStanding = pgTable(
  'parity_standing',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    checkId: uuid('check_id'),
    checkedAt: instant('checked_at'),
    verdict: text('verdict').$type<CheckVerdict>(),
    worst: text('worst'),
    comparedBy: text('compared_by'),
    dueAt: instant('due_at'),
    dueFor: text('due_for').$type<CheckTrigger>(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId] })],
)

export const parityPlaces = pgTable(
  'parity_places',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    fromLayer: text('from_layer').notNull(),
    toLayer: text('to_layer').notNull(),
    path: text('path').notNull(),
    kind: text('kind').notNull(),
    severity: text('severity').notNull(),
    differences: integer('differences').notNull(),
    checkedAt: instant('checked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.fromLayer, t.toLayer, t.path, t.kind] })],
)
