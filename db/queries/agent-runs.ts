import type { ExecutionDetail } from '@/lib/api/schemas'
import { adviceToday } from '@/lib/words/retry'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { causeTextOf, type CauseTextRow } from './stored-cause'

const LISTED_MAX = 20

/**
 * Own runs of the agents that a run of a workflow engine called, where they are stored as its children: of agents that failed, and of those that the run
 * calls fine while their own run ended differently. Read when they are shown: they can come after the run that called them.
 */
export async function listAgentRuns(
  db: Pick<Db, 'sql'>,
  projectId: string,
  id: string,
): Promise<ExecutionDetail['agentRuns']> {
  const rows = await db.sql<
    (RowOf<'calls', 'callId'> &
      RowOf<'executions', 'id' | 'externalId' | 'outcome' | 'advice'> &
      CauseTextRow & {
        step: RowOf<'calls', 'tool'>['tool']
        callState: RowOf<'calls', 'state'>['state']
      })[]
  >`
    select a.call_id as "callId", a.tool as step, a.state as "callState", c.id, c.external_id as "externalId", c.outcome, c.advice,
      c.cause_text, c.cause_rule, c.cause_params, c.cause_earlier
    from executions e join sources s on s.project_id = e.project_id and s.id = e.source_id and s.kind = 'noetl'
    join calls a on a.project_id = e.project_id and a.execution_id = e.id and a.child_key is not null
    join executions c on c.project_id = a.project_id and c.parent_id = a.execution_id and c.external_id = a.child_key
    where e.project_id = ${projectId} and e.id = ${id}
      and (a.failure_class = 'agent_failure' or (a.state = 'succeeded' and c.outcome in ('failed', 'cancelled', 'interrupted', 'retriable')))
    order by a.ordinal limit ${LISTED_MAX}`
  return rows.map(({ cause_text, cause_rule, cause_params, cause_earlier, ...run }) => ({
    ...run,
    advice: run.advice && adviceToday(run.advice),
    cause: causeTextOf({ cause_text, cause_rule, cause_params, cause_earlier }),
  }))
}

/** What the own run of the agent that failed says broke, for each of these executions that has one stored. */
export async function mapAgentCauses(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.sql<(CauseTextRow & { id: RowOf<'calls', 'execution_id'>['execution_id'] })[]>`
    select distinct on (a.execution_id) a.execution_id as id, c.cause_text, c.cause_rule, c.cause_params, c.cause_earlier
    from calls a
    join executions c on c.project_id = a.project_id and c.parent_id = a.execution_id and c.external_id = a.child_key
    where a.project_id = any (${projectIds}::uuid[]) and a.execution_id = any (${ids}::uuid[])
      and a.failure_class = 'agent_failure' and a.child_key is not null and c.cause_text is not null
    order by a.execution_id, a.ordinal`
  return new Map(rows.map((row) => [row.id, causeTextOf(row)!]))
}
