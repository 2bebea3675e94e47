import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { CAUSE_COLUMNS, causeOf } from './stored-cause'
import { columnsOf, computed, joinLists, type Selected } from '../statement-text'
import type { SourceRow } from './sources'

/** Columns of a list row: short ones only. `e` is the table. */
const ITEM = joinLists(
  columnsOf('executions e', [
    'project_id',
    'id',
    'source_id',
    'external_id',
    'outcome',
    'outcome_basis',
    ...CAUSE_COLUMNS,
    'attention',
    'failed_at',
    'parent_id',
    'title',
    'started_at',
    'ended_at',
    'sort_at',
    'labels',
    'records',
    'calls',
    'failed_calls',
    'failed_by_class',
    'calls_without_result',
    'chains',
    'recovered_chains',
    'odd',
  ]),
  computed<{ analysis_failed: boolean }>('e.analysis_failure is not null as analysis_failed'),
)

export const ITEM_COLUMNS = ITEM.text
export type ItemRow = Selected<typeof ITEM>

/** Turns a row into the document that lists carry. */
export function toItem(
  row: ItemRow,
  sources: Map<string, SourceRow>,
  agentCause: string | null = null,
): ExecutionItem {
  const source = sources.get(row.source_id)
  return {
    id: row.id,
    externalId: row.external_id,
    project: source?.project ?? '',
    source: { id: row.source_id, kind: source?.kind ?? '', name: source?.name ?? '' },
    outcome: row.outcome,
    outcomeBasis: row.outcome_basis,
    cause: causeOf(row),
    needsAttention: row.attention?.needed ?? null,
    agentCause,
    failedAt: row.failed_at,
    parentId: row.parent_id,
    title: row.title,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    labels: row.labels,
    counts: {
      records: row.records,
      calls: row.calls,
      failedCalls: row.failed_calls,
      failedByClass: row.failed_by_class,
      callsWithoutResult: row.calls_without_result,
      chains: row.chains,
      recoveredChains: row.recovered_chains,
    },
    odd: row.odd,
    analysisFailed: row.analysis_failed,
    url: links.execution(row.id),
  }
}
