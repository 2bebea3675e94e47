import {
  boolean,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, instant } from './columns'
import { projects, sources } from './projects'
import type { TablesProblem } from '@/lib/model/tables-problems'

/** How far the log was read; plain JSON, to be kept as it is. */
export interface TablesCursor {
  /** Newest event id that was read. */
  eventId: string
  /** Runs of the last visit with the rows that the log held of them then: a row that was written late, under an older id, shows there. */
  recent: { run: string; rows: number }[]
}

export const sourceConnections = pgTable(
  'source_connections',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    id: uuid('id').notNull(),
    sourceId: uuid('source_id').notNull(),
    kind: text('kind').notNull(),
    baseUrl: text('base_url').notNull(),
    authHeader: text('auth_header'),
    credential: bytea('credential'),
    databaseUrl: bytea('database_url'),
    allowPrivate: boolean('allow_private').notNull().default(false),
    enabled: boolean('enabled').notNull().default(true),
    intervalSeconds: integer('interval_seconds').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    editedAt: instant('edited_at').notNull().defaultNow(),
    knownSince: instant('known_since'),
    lastPolledAt: instant('last_polled_at'),
    lastOkAt: instant('last_ok_at'),
    lastErrorKind: text('last_error_kind'),
    lastErrorText: text('last_error_text'),
    failures: integer('failures').notNull().default(0),
    nextAt: instant('next_at').notNull().defaultNow(),
    leasedUntil: instant('leased_until'),
    tablesCursor: jsonb('tables_cursor').$type<TablesCursor>(),
    tablesReadAt: instant('tables_read_at'),
    tablesProblem: text('tables_problem').$type<TablesProblem>(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    unique().on(t.projectId, t.sourceId),
    foreignKey({ columns: [t.projectId, t.sourceId], foreignColumns: [sources.projectId, sources.id] }),
  ],
)

export const connectionRuns = pgTable(
  'connection_runs',
  {
    projectId: uuid('project_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    runId: text('run_id').notNull(),
    startedAt: instant('started_at'),
    listedStatus: text('listed_status'),
    listedEvents: integer('listed_events'),
    listedEntry: text('listed_entry'),
    listedAt: instant('listed_at'),
    listedTaken: text('listed_taken'),
    statusAsked: text('status_asked'),
    status: text('status'),
    ended: boolean('ended').notNull().default(false),
    takenTo: text('taken_to'),
    takenRows: integer('taken_rows'),
    walkPage: integer('walk_page'),
    walkSince: text('walk_since'),
    walkNewest: text('walk_newest'),
    walkTotal: integer('walk_total'),
    failures: integer('failures').notNull().default(0),
    quiet: integer('quiet').notNull().default(0),
    lookAt: instant('look_at').defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.connectionId, t.runId] })],
)
