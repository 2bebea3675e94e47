import type { ExecutionItem } from '@/lib/api/schemas'
import type { Basis, Pointer } from '@/lib/executions/types'
import { links } from '@/lib/links'
import type { SourceRow } from './sources'

/** Columns of a list row: short ones only. `e` is the table. */
export const ITEM_COLUMNS = `e.project_id, e.id, e.source_id, e.external_id, e.outcome, e.outcome_basis, e.cause_text, e.cause_category, e.cause_pointer,
  e.failed_at, e.parent_id, e.title, e.started_at, e.ended_at, e.sort_at, e.labels, e.records, e.calls, e.failed_calls, e.failed_by_class,
  e.calls_without_result, e.chains, e.recovered_chains, e.odd, e.analysis_failure is not null as analysis_failed`

export interface ItemRow {
  project_id: string
  id: string
  source_id: string
  external_id: string
  outcome: string
  outcome_basis: string
  cause_text: string | null
  cause_category: string | null
  cause_pointer: Pointer | null
  failed_at: string | null
  parent_id: string | null
  title: string | null
  started_at: string | null
  ended_at: string | null
  sort_at: string
  labels: Record<string, string>
  records: number
  calls: number
  failed_calls: number
  failed_by_class: Record<string, number>
  calls_without_result: number
  chains: number
  recovered_chains: number
  odd: number
  analysis_failed: boolean
}

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
    outcomeBasis: row.outcome_basis as Basis,
    cause:
      row.cause_text === null
        ? null
        : { text: row.cause_text, category: row.cause_category ?? '', pointer: row.cause_pointer },
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
