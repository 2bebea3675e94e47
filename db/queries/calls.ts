import { callRetryToday } from '@/lib/words/call-retry'
import { resolutionToday } from '@/lib/words/resolution'
import type { CallItem } from '@/lib/api/schemas'
import { limits } from '@/lib/limits'
import { LINK_RULES } from '@/lib/words/calls'
import { storedText } from '@/lib/words/catalogue'
import type { Db } from '../client'
import { withChannelAlias } from './channel-alias'
import { formatCursor, isUuid, parseCursor } from './cursor'
import { sourcesLike } from '../same-sessions'
import type { RowOf } from '../schema/rows'
import type { Page } from '@/lib/model/page'

export interface ListCallsOptions {
  projectIds: string[]
  id: string
  failedOnly?: boolean
  cursor?: string | null
  limit?: number
}

/** The calls of an execution in their order, as attempts of their pieces of work. @throws BadCursorError */
export async function listCalls(
  db: Db,
  { projectIds, id, failedOnly = false, cursor, limit }: ListCallsOptions,
): Promise<Page<CallItem>> {
  const [after] = parseCursor('calls', ['int'], cursor) ?? [-1]
  const rows = Math.min(Math.max(1, limit ?? limits.pageRowsMax), limits.pageRowsMax)
  if (!isUuid(id) || projectIds.length === 0) return { items: [], nextCursor: null }
  const found = await db.sql<
    (RowOf<
      'calls',
      | 'callId'
      | 'ordinal'
      | 'tool'
      | 'target'
      | 'state'
      | 'failureClass'
      | 'errorText'
      | 'errorTextCut'
      | 'exitCode'
      | 'startedAt'
      | 'endedAt'
      | 'durationMs'
      | 'callPointer'
      | 'resultPointer'
      | 'chain'
      | 'numberInChain'
      | 'linkRule'
      | 'linkParams'
      | 'linkBasis'
      | 'inputChanged'
      | 'attachedTo'
      | 'resolution'
      | 'retry'
      | 'disagreements'
    > &
      Pick<CallItem, 'childId' | 'childOutcome' | 'isMain'>)[]
  >`
    select a.call_id as "callId", a.ordinal, a.tool, a.target, a.state, a.failure_class as "failureClass", a.error_text as "errorText",
      a.error_text_cut as "errorTextCut", a.exit_code as "exitCode", a.started_at as "startedAt", a.ended_at as "endedAt",
      a.duration_ms as "durationMs", a.call_pointer as "callPointer", a.result_pointer as "resultPointer", a.chain, a.number_in_chain as "numberInChain",
      a.link_rule as "linkRule", a.link_params as "linkParams", a.link_basis as "linkBasis", a.input_changed as "inputChanged", a.attached_to as "attachedTo",
      a.resolution, a.retry,
      c.execution_id as "childId", (select e.outcome from executions e where e.project_id = a.project_id and e.id = c.execution_id) as "childOutcome",
      a.disagreements,
      coalesce(a.ordinal + 1 = (select (m.cause_params->'call'->>'number')::int from executions m where m.project_id = a.project_id and m.id = a.execution_id), false) as "isMain"
    from calls a
    left join lateral (
      select k.execution_id from execution_keys k join executions e on e.project_id = a.project_id and e.id = a.execution_id
      where k.project_id = a.project_id and k.external_id = a.child_key and k.source_id in (${sourcesLike(db.sql, db.sql`a.project_id`, db.sql`e.source_id`)})
      order by k.source_id <> e.source_id limit 1) c on true
    where a.project_id = any (${projectIds}::uuid[]) and a.execution_id = ${id} and a.ordinal > ${after!}
      ${failedOnly ? db.sql`and a.state = 'failed'` : db.sql``}
    order by a.ordinal limit ${rows + 1}`
  const items = found.slice(0, rows).map(inWords)
  return { items, nextCursor: found.length > rows ? formatCursor('calls', items.at(-1)!.ordinal) : null }
}

/** Rows of older versions hold the text in place of the rule. */
function inWords<
  Row extends RowOf<'calls', 'linkRule' | 'linkParams' | 'resolution' | 'retry' | 'disagreements'>,
>({ linkParams: params, ...row }: Row): Omit<Row, 'linkParams'> & Pick<CallItem, 'link'> {
  const call = {
    ...row,
    resolution: row.resolution && resolutionToday(row.resolution),
    retry: row.retry && callRetryToday(row.retry),
    disagreements: row.disagreements.map(withChannelAlias),
  }
  const { linkRule: id } = call
  if (id === null) return { ...call, link: null }
  return {
    ...call,
    linkRule: storedText(LINK_RULES, { id, params, text: id }),
    link: params && { rule: id, params: { ...params } },
  }
}
