import type { DecisionDocument } from '@/lib/api/decision-schemas'
import { ALL_MISSING, UNKNOWN } from '@/lib/judge/decisions/decision'
import { CURRENT_POLICY } from '@/lib/judge/decisions/policies'
import { storedText } from '@/lib/words/catalogue'
import { DECISION_REASONS } from '@/lib/words/decision'
import type { Db } from '../client'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'

/**
 * What was decided about an execution; null when the projects hold no such execution. Of one whose process nobody recorded, the verdict is
 * that of what it did: inferred, with everything else named as missing.
 */
export async function readDecision(
  db: Db,
  projectIds: string[],
  id: string,
): Promise<DecisionDocument | null> {
  if (!isUuid(id) || projectIds.length === 0) return null
  const [found] = await db.sql<
    (RowOf<
      'decisions',
      | 'basis'
      | 'policy'
      | 'contentState'
      | 'outcome'
      | 'retryReason'
      | 'subtype'
      | 'rule'
      | 'because'
      | 'becauseRule'
      | 'becauseParams'
      | 'missing'
      | 'differs'
      | 'recorded'
      | 'recomputed'
      | 'recorder'
      | 'evidence'
      | 'whatIf'
      | 'inputRedacted'
      | 'decidedAt'
    > &
      RowOf<'executions', 'signalHints'> &
      Pick<DecisionDocument, 'trace'>)[]
  >`
    select d.basis, d.policy, d.content_state as "contentState", d.outcome, d.retry_reason as "retryReason", d.subtype, d.rule, d.because,
      d.because_rule as "becauseRule", d.because_params as "becauseParams", d.missing, d.differs,
      d.recorded, d.recomputed, d.recorder, e.signal_hints as "signalHints", d.trace, d.evidence, d.what_if as "whatIf", d.input_redacted as "inputRedacted",
      d.decided_at as "decidedAt"
    from decisions d join executions e on e.project_id = d.project_id and e.id = d.execution_id
    where d.project_id = any (${projectIds}::uuid[]) and d.execution_id = ${id}`
  if (found) {
    const { becauseRule: id, becauseParams: params, because: text } = found
    return { ...found, because: storedText(DECISION_REASONS, { id, params, text }) }
  }
  const [row] = await db.sql<
    (RowOf<'executions', 'outcome' | 'signalHints'> & {
      basis: RowOf<'executions', 'outcome_basis'>['outcome_basis']
      rule: RowOf<'executions', 'outcome_rule'>['outcome_rule']
      because: RowOf<'executions', 'outcome_because'>['outcome_because']
    })[]
  >`
    select outcome_basis as basis, outcome, outcome_rule as rule, outcome_because as because, signal_hints as "signalHints"
    from executions where project_id = any (${projectIds}::uuid[]) and id = ${id}`
  if (!row) return null
  return {
    ...row,
    policy: CURRENT_POLICY.name,
    contentState: UNKNOWN,
    retryReason: UNKNOWN,
    subtype: UNKNOWN,
    differs: [],
    recorded: null,
    recomputed: null,
    recorder: null,
    becauseRule: null,
    becauseParams: null,
    missing: [...ALL_MISSING],
    trace: [],
    evidence: {},
    whatIf: null,
    inputRedacted: false,
    decidedAt: null,
  }
}
