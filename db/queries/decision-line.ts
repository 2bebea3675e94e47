import type { DecisionLine } from '@/lib/api/schemas'
import { badgesOf } from '@/lib/judge/decisions/badges'
import { ALL_MISSING, UNKNOWN } from '@/lib/judge/decisions/decision'
import { badgeWords } from '@/lib/words/decision-details'
import type { RowOf } from '../schema/rows'
import { columnsOf, computed, joinLists, type Selected } from '../statement-text'

/** Columns of a decision in short; `d` is `decisions`, joined from the left. Of the trace only the codes are read. */
const LINE = joinLists(
  columnsOf('decisions d', [
    'content_state',
    'retry_reason',
    'subtype',
    'missing',
    'differs',
    'recorded',
    'recomputed',
  ]),
  computed<{
    decided_basis: RowOf<'decisions', 'basis'>['basis'] | null
    decided_outcome: RowOf<'decisions', 'outcome'>['outcome']
    rules: string[]
    evidence: Record<string, unknown>
  }>(
    `d.basis as decided_basis, d.outcome as decided_outcome, jsonb_path_query_array(d.trace, '$[*].rule') as rules, d.evidence - array['command', 'result_tail'] as evidence`,
  ),
)

export const LINE_COLUMNS = LINE.text

/** All of the decision is null if only the execution's own events are known: see `decided_basis`. */
export type DecisionLineRow = RowOf<'executions', 'outcome' | 'outcome_basis'> & Selected<typeof LINE>

/** The decision in one line. Of an execution whose process nobody recorded it is inferred, and everything else is missing. */
export function toDecisionLine(row: DecisionLineRow): DecisionLine {
  if (row.decided_basis === null)
    return {
      basis: row.outcome_basis,
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
  const found = badgesOf({
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
  const badges = found.map(badgeWords)
  return { ...words, basis: row.decided_basis, missing: row.missing, differs, recorded, recomputed, badges }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
