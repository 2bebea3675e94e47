import type { ExecutionDetail } from '@/lib/api/schemas'
import type { Chain, ExecutionSummary } from '@/lib/executions/summary'
import type { Advice, Usage } from '@/lib/executions/types'
import type { Db } from '../client'
import { isUuid } from './cursor'
import { ITEM_COLUMNS, toItem, type ItemRow } from './execution-rows'
import { mapSources } from './sources'

interface DetailRow extends ItemRow {
  outcome_rule: string
  outcome_because: string
  advice: Advice | null
  usage: Usage
  disagreements: ExecutionSummary['disagreements']
  chain_list: Chain[]
  odd: number
  redactions: number
  first_seen_at: string
  updated_at: string
  version: number
}

/** One execution with everything but its events, attempts and bytes; null when there is none that the projects hold. */
export async function readExecution(db: Db, projectIds: string[], id: string): Promise<ExecutionDetail | null> {
  if (!isUuid(id) || projectIds.length === 0) return null
  const [row] = (await db.sql.unsafe(
    `select ${ITEM_COLUMNS}, e.outcome_rule, e.outcome_because, e.advice, e.usage, e.disagreements, e.chain_list, e.odd, e.redactions,
       e.first_seen_at, e.updated_at, e.version
     from executions e where e.project_id = any ($1::uuid[]) and e.id = $2::uuid`,
    [projectIds, id],
    { prepare: db.sql.options.prepare },
  )) as unknown as DetailRow[]
  if (!row) return null
  const [sources, children] = await Promise.all([
    mapSources(db, [row.project_id]),
    db.sql<ExecutionDetail['children']>`
      select id, external_id as "externalId", outcome, title, parent_call as "callId", failed_calls as "failedCalls"
      from executions where project_id = ${row.project_id} and parent_id = ${row.id} order by started_at, external_id`,
  ])
  return {
    ...toItem(row, sources),
    outcomeRule: row.outcome_rule,
    outcomeBecause: row.outcome_because,
    advice: row.advice,
    usage: row.usage,
    disagreements: row.disagreements,
    chains: row.chain_list,
    children: [...children],
    odd: row.odd,
    redactions: row.redactions,
    firstSeenAt: row.first_seen_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
