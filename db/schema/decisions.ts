import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Decision } from '@/lib/judge/decisions/decision'
import { instant } from './columns'

export const decisions = pgTable(
  'decisions',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    basis: text('basis').$type<Decision['basis']>().notNull(),
    policy: text('policy').notNull(),
    contentState: text('content_state').notNull(),
    outcome: text('outcome').notNull(),
    retryReason: text('retry_reason').notNull(),
    subtype: text('subtype').notNull(),
    rule: text('rule').notNull(),
    because: text('because').notNull(),
    becauseRule: text('because_rule'),
    becauseParams: jsonb('because_params').$type<Decision['reason']['params']>(),
    missing: text('missing').array().notNull().default([]),
    differs: text('differs').array().notNull().default([]),
    recorded: jsonb('recorded').$type<Decision['recorded']>(),
    recomputed: jsonb('recomputed').$type<Decision['recomputed']>(),
    trace: jsonb('trace').$type<Decision['trace']>().notNull().default([]),
    evidence: jsonb('evidence').$type<Decision['evidence']>().notNull().default({}),
    whatIf: jsonb('what_if').$type<Decision['whatIf']>(),
    inputRedacted: boolean('input_redacted').notNull().default(false),
    recorder: jsonb('recorder').$type<Decision['recorder']>(),
    decidedAt: instant('decided_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId] })],
)

export const executionChains = pgTable(
  'execution_chains',
  {
    projectId: uuid('project_id').notNull(),
    chainId: text('chain_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    name: text('name').notNull(),
    rule: text('rule').notNull(),
    basis: text('basis').notNull(),
    attempt: integer('attempt'),
    sortAt: instant('sort_at').notNull(),
    inputs: text('inputs'),
    failed: boolean('failed'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.chainId, t.executionId] })],
)

export const sessionResumes = pgTable(
  'session_resumes',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    session: text('session').notNull(),
    resumed: text('resumed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.resumed] })],
)

export const ciRuns = pgTable(
  'ci_runs',
  {
    projectId: uuid('project_id').notNull(),
    provider: text('provider').notNull(),
    path: text('path').notNull(),
    run: text('run').notNull(),
    executionId: uuid('execution_id').notNull(),
    attempt: integer('attempt'),
    job: text('job'),
    url: text('url'),
    commit: text('commit_sha'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.provider, t.path, t.run, t.executionId] })],
)
