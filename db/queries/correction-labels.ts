import { limits } from '@/lib/limits'
import type { LabelledCorrection } from '@/lib/views/corrections/label-line'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** Standing corrections with what their labels need, the oldest first, a page at a time. One whose execution is not there any more is left out. */
export async function* readCorrectionLabels(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
): AsyncGenerator<LabelledCorrection[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db.sql<
      (RowOf<'cause_corrections', 'id' | 'executionId' | 'callId' | 'reason' | 'at'> &
        RowOf<'executions', 'externalId' | 'outcome'> & {
          rule: RowOf<'cause_corrections', 'cause_rule'>['cause_rule']
          judgedCallId: RowOf<'cause_corrections', 'cause_call_id'>['cause_call_id']
          by: RowOf<'cause_corrections', 'actor_name'>['actor_name']
          source: RowOf<'sources', 'kind'>['kind']
          fileName: RowOf<'streams', 'file_name'>['file_name']
        })[]
    >`
      select k.id, k.execution_id as "executionId", k.call_id as "callId", k.reason, k.at, k.cause_rule as rule, k.cause_call_id as "judgedCallId", k.actor_name as by,
        e.external_id as "externalId", e.outcome, s.kind as source,
        (select t.file_name from execution_streams x join streams t on t.project_id = x.project_id and t.id = x.stream_id
          where x.project_id = k.project_id and x.execution_id = k.execution_id and t.file_name is not null
          order by x.events desc, t.file_name limit 1) as "fileName"
      from cause_corrections k join executions e on e.project_id = k.project_id and e.id = k.execution_id
      join sources s on s.project_id = e.project_id and s.id = e.source_id
      where k.project_id = any (${projectIds}::uuid[]) and k.undone_at is null and k.id > ${after}
      order by k.id limit ${limits.pageRowsMax}`
    if (rows.length > 0) yield rows
    if (rows.length < limits.pageRowsMax) return
    after = rows.at(-1)!.id
  }
}
