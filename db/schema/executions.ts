import type { StoredAttention } from '@/lib/model/attention'
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { AnalysisFailure } from '@/lib/analysis/analysis-failure'
import type { PipelineDetail } from '@/lib/model/pipeline'
import type { Chain, ExecutionSummary } from '@/lib/model/summary'
import type { Advice, Basis, Pointer, Usage } from '@/lib/model/execution'
import { instant, tsvector } from './columns'
import type { Silence } from '@/lib/model/silence'

export const executionKeys = pgTable(
  'execution_keys',
  {
    projectId: uuid('project_id').notNull(),
    sourceId: uuid('source_id').notNull(),
    externalId: text('external_id').notNull(),
    executionId: uuid('execution_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.sourceId, t.externalId] })],
)

export const executions = pgTable(
  'executions',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    sourceId: uuid('source_id').notNull(),
    externalId: text('external_id').notNull(),
    outcome: text('outcome').notNull(),
    outcomeBasis: text('outcome_basis').$type<Basis>().notNull(),
    outcomeRule: text('outcome_rule').notNull(),
    outcomeBecause: text('outcome_because').notNull(),
    outcomeParams: jsonb('outcome_params').$type<Record<string, unknown>>(),
    causeText: text('cause_text'),
    causeRule: text('cause_rule'),
    causeParams: jsonb('cause_params').$type<Record<string, unknown>>(),
    causeEarlier: jsonb('cause_earlier').$type<{ id: string; params: Record<string, unknown> }>(),
    causeCategory: text('cause_category'),
    causePointer: jsonb('cause_pointer').$type<Pointer>(),
    attention: jsonb('attention').$type<StoredAttention>(),
    failedAt: text('failed_at'),
    title: text('title'),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    sortAt: instant('sort_at').notNull(),
    labels: jsonb('labels').$type<Record<string, string>>().notNull().default({}),
    repository: text('repository'),
    branch: text('branch'),
    records: integer('records').notNull().default(0),
    calls: integer('calls').notNull().default(0),
    failedCalls: integer('failed_calls').notNull().default(0),
    callsWithoutResult: integer('calls_without_result').notNull().default(0),
    chains: integer('chains').notNull().default(0),
    recoveredChains: integer('recovered_chains').notNull().default(0),
    failedByClass: jsonb('failed_by_class').$type<Record<string, number>>().notNull().default({}),
    marks: text('marks').array().notNull().default([]),
    chainList: jsonb('chain_list').$type<Chain[]>().notNull().default([]),
    advice: jsonb('advice').$type<Advice>(),
    signalHints: jsonb('signal_hints').$type<ExecutionSummary['signalHints']>().notNull().default([]),
    silence: jsonb('silence').$type<Silence>(),
    repeats: jsonb('repeats').$type<ExecutionSummary['repeats']>().notNull().default([]),
    usage: jsonb('usage').$type<Usage>().notNull(),
    disagreements: jsonb('disagreements').$type<ExecutionSummary['disagreements']>().notNull().default([]),
    pipeline: jsonb('pipeline').$type<PipelineDetail>(),
    parentKey: text('parent_key'),
    parentCall: text('parent_call'),
    parentId: uuid('parent_id'),
    search: tsvector('search').notNull().default(''),
    odd: integer('odd').notNull().default(0),
    redactions: integer('redactions').notNull().default(0),
    version: integer('version').notNull().default(1),
    /** Digest of everything derived, to distinguish a change from a repetition. */
    digest: text('digest').notNull().default(''),
    dirty: boolean('dirty').notNull().default(false),
    /** Why the last analysis broke; null: it did not. */
    analysisFailure: jsonb('analysis_failure').$type<AnalysisFailure>(),
    firstSeenAt: instant('first_seen_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
)

export const executionMarks = pgTable(
  'execution_marks',
  {
    projectId: uuid('project_id').notNull(),
    executionId: uuid('execution_id').notNull(),
    mark: text('mark').notNull(),
    sortAt: instant('sort_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.executionId, t.mark] })],
)
