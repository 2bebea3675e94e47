import type { DecisionLine } from '@/lib/api/schemas'
import { badgesOf } from '@/lib/decisions/badges'
import { ALL_MISSING, UNKNOWN, type VerdictWords } from '@/lib/decisions/decision'
import type { Basis } from '@/lib/executions/types'

/** Columns of a decision in short; `d` is `decisions`, joined from the left. Of the trace only the codes are read. */
export const LINE_COLUMNS = `d.basis as decided_basis, d.content_state, d.outcome as decided_outcome, d.retry_reason, d.subtype, d.missing, d.differs,
  d.recorded, d.recomputed, jsonb_path_query_array(d.trace, '$[*].rule') as rules,
  d.evidence - array['command', 'result_tail'] as evidence`

/** All null where nothing but what the execution did is known. */
export interface DecisionLineRow {
  outcome: string
  outcome_basis: string
  decided_basis: Basis | null
  content_state: string
  decided_outcome: string
  retry_reason: string
  subtype: string
  missing: string[]
  differs: string[]
  recorded: VerdictWords | null
  recomputed: VerdictWords | null
  rules: string[]
  evidence: Record<string, unknown>
}

/** The decision in one line. Of an execution whose process nobody recorded it is inferred, and everything else is missing. */
export function toDecisionLine(row: DecisionLineRow): DecisionLine {
  if (row.decided_basis === null)
    return {
      basis: row.outcome_basis as Basis,
      contentState: UNKNOWN,
      outcome: row.outcome,
      retryReason: UNKNOWN,
      subtype: UNKNOWN,
      missing: [...ALL_MISSING],
      differs: [],
      recorded: null,
      recomputed: null,
      badges: [],
    }
  const words = {
    contentState: row.content_state,
    outcome: row.decided_outcome,
    retryReason: row.retry_reason,
    subtype: row.subtype,
  }
  const { recorded, recomputed, differs, evidence } = row
  const badges = badgesOf({
    ...words,
    differs,
    recorded,
    recomputed,
    rules: row.rules,
    exitCode: typeof evidence['exit_code'] === 'number' ? evidence['exit_code'] : null,
    termination: textOf(evidence['termination']),
    cliSubtype: textOf(evidence['cli_subtype'] ?? evidence['subtype']),
    isError: typeof evidence['is_error'] === 'boolean' ? evidence['is_error'] : null,
  })
  return { ...words, basis: row.decided_basis, missing: row.missing, differs, recorded, recomputed, badges }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
