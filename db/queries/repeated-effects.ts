import {
  changesSomething,
  COMMAND_CHARS_READ,
  EFFECT_PROGRAMS,
  type EffectCall,
  type EffectReceipt,
  repeatedEffects,
  type RepeatedEffect,
} from '@/lib/judge/calls/effects'
import { CHANGES_FILES } from '@/lib/judge/calls/retry-chain'
import { isUnsure, UNSURE_TEXT } from '@/lib/judge/calls/unsure'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** Calls that are read for their effects. */
const CALLS_MAX = 5_000
/** Effects that are listed, the weightiest first. */
const EFFECTS_MAX = 200
/** Agents that were started by agents that were started …: deeper ones are not asked. */
const DEPTH_MAX = 8

const PROGRAMS = `\\m(${EFFECT_PROGRAMS.join('|')})\\M`

type Row = EffectCall & {
  attemptId: string
  state: string
  failureClass: string | null
  errorText: string | null
}

/**
 * What calls of more than one of these attempts have done, their sub-agents included. Calls that succeeded are read, and those that were not
 * answered or were cut off, which is unknown. Receipts of a call are looked up for those that are read.
 *
 * @param attempts ids of executions of one project, in the order of the attempts
 */
export async function listRepeatedEffects(
  db: Db,
  projectId: string,
  attempts: readonly string[],
): Promise<{ effects: RepeatedEffect[]; cut: boolean }> {
  if (attempts.length < 2) return { effects: [], cut: false }
  const { sql } = db
  const family = sql`
    with recursive family as (
      select id, id as attempt_id, place, 0 as depth from unnest(${attempts as string[]}::uuid[]) with ordinality as t(id, place)
      union all
      select e.id, f.attempt_id, f.place, f.depth + 1 from family f join executions e on e.project_id = ${projectId} and e.parent_id = f.id where f.depth < ${DEPTH_MAX}
    )`
  const actions = await sql<
    {
      type: NonNullable<RowOf<'receipts', 'action_type'>['action_type']>
    }[]
  >`
    ${family} select distinct r.action_type as type from receipts r where r.project_id = ${projectId} and r.execution_id in (select id from family) and r.action_type is not null limit 1000`
  const changing = actions.map(({ type }) => type).filter(changesSomething)
  const rows = await sql<
    (RowOf<
      'calls',
      'executionId' | 'callId' | 'ordinal' | 'tool' | 'inputDigest' | 'state' | 'failureClass' | 'errorText'
    > &
      Pick<Row, 'attemptId' | 'target'>)[]
  >`
    ${family}
    select f.attempt_id as "attemptId", a.execution_id as "executionId", a.call_id as "callId", a.ordinal, a.tool, left(a.target, ${COMMAND_CHARS_READ}) as target,
      a.input_digest as "inputDigest", a.state, a.failure_class as "failureClass", a.error_text as "errorText"
    from family f join calls a on a.project_id = ${projectId} and a.execution_id = f.id
    where (a.state <> 'failed' or a.failure_class = 'interrupted' or a.error_text ~* ${UNSURE_TEXT}) and (a.tool = any (${[...CHANGES_FILES]}) or a.tool like 'mcp\\_\\_%'
      or (a.loose_target is not null and left(a.target, ${COMMAND_CHARS_READ}) ~ ${PROGRAMS})
      ${
        changing.length === 0
          ? sql``
          : sql`or (a.execution_id, a.call_id) in (
        select r.execution_id, coalesce(r.correlation_id, r.receipt_id) from receipts r
        where r.project_id = ${projectId} and r.execution_id in (select id from family) and r.action_type = any (${changing}::text[]))`
      })
    order by f.place, f.depth, a.execution_id, a.ordinal limit ${CALLS_MAX + 1}`
  const read = rows.slice(0, CALLS_MAX)
  const receipts =
    actions.length === 0 ? new Map<string, EffectReceipt[]>() : await readReceipts(db, projectId, read)
  const attemptOf = new Map(read.map(({ executionId, attemptId }) => [executionId, attemptId]))
  const calls = read.map(
    (row): EffectCall => ({
      ...row,
      unsure: isUnsure(row),
      receipts: receipts.get(`${row.executionId} ${row.callId}`),
    }),
  )
  const effects = repeatedEffects(calls, (id) => attemptOf.get(id)!)
  return {
    effects: effects.slice(0, EFFECTS_MAX),
    cut: rows.length > CALLS_MAX || effects.length > EFFECTS_MAX,
  }
}

/** What receipts say of calls, by execution and call. */
async function readReceipts(
  { sql }: Db,
  projectId: string,
  calls: readonly Row[],
): Promise<Map<string, EffectReceipt[]>> {
  const rows = await sql<
    (RowOf<'receipts', 'executionId' | 'sequence' | 'status' | 'actionType'> & {
      key: RowOf<'receipts', 'stream_id'>['stream_id']
    } & Pick<EffectReceipt & { callId: string }, 'callId' | 'parametersHash'>)[]
  >`
    select r.execution_id as "executionId", coalesce(r.correlation_id, r.receipt_id) as "callId", r.stream_id as key, r.sequence, r.status, r.action_type as "actionType",
      v.facts -> 'receipt' ->> 'parametersHash' as "parametersHash"
    from receipts r join events v on v.project_id = r.project_id and v.execution_id = r.execution_id and v.stream_id = r.stream_id
    where r.project_id = ${projectId} and r.event is null and r.execution_id = any (${[...new Set(calls.map((call) => call.executionId))]}::uuid[])
      and coalesce(r.correlation_id, r.receipt_id) = any (${calls.map((call) => call.callId)}::text[])
    order by r.chain_id, r.place, r.stream_id`
  const byCall = new Map<string, EffectReceipt[]>()
  for (const { callId, ...receipt } of rows) {
    const key = `${receipt.executionId} ${callId}`
    byCall.set(key, [...(byCall.get(key) ?? []), receipt])
  }
  return byCall
}
