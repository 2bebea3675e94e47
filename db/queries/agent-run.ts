import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { adviceToday } from '@/lib/words/retry'
import type { Db } from '../client'
import { failuresOf, listFailing } from './failing-rows'
import type { RowOf } from '../schema/rows'
import { causeTextOf, type CauseTextRow } from './stored-cause'

type AgentRun = NonNullable<RunDiagnosisDocument['diagnoses'][number]['agentRun']>

/**
 * What the own run of an agent says of its failure, where it is stored as a child of the run that called it; null where it is not. A row can name any id:
 * only a run that names the caller as its parent is believed to be the one.
 */
export async function readAgentRun(
  db: Pick<Db, 'sql'>,
  project: string,
  callerId: string,
  childId: string,
): Promise<AgentRun | null> {
  const [run] = await db.sql<
    (RowOf<'executions', 'id' | 'externalId' | 'outcome' | 'advice'> & CauseTextRow)[]
  >`
    select id, external_id as "externalId", outcome, advice, cause_text, cause_rule, cause_params, cause_earlier from executions
    where project_id = ${project} and parent_id = ${callerId} and external_id = ${childId} order by id limit 1`
  if (!run) return null
  const { advice: stored, id, externalId, outcome } = run
  const advice = stored && adviceToday(stored)
  const said = advice && {
    retry: advice.retry,
    ...(advice.verdict === undefined ? {} : { verdict: advice.verdict }),
    retryBecause: advice.retryBecause,
    next: advice.next,
  }
  return {
    id,
    externalId,
    outcome,
    cause: causeTextOf(run),
    advice: said,
    ...failuresOf(await listFailing(db, project, run.id)),
  }
}
