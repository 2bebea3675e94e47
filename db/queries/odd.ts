import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { formatCursor, isUuid, parseCursor } from './cursor'
import type { RowOf } from '../schema/rows'
import type { Page } from '@/lib/model/page'

export type OddEntry = RowOf<'odd_input', 'id' | 'executionId' | 'line' | 'reason' | 'detail'> &
  RowOf<'streams', 'fileName'> & {
    streamId: RowOf<'streams', 'streamId'>['streamId'] | null
    received: RowOf<'received', 'sha256'>['sha256'] | null
    byteStart: RowOf<'odd_input', 'byte_offset'>['byte_offset']
    /** Where the record is in the kept bytes; null for what is no record. */
    keptStart: RowOf<'events', 'keptStart'>['keptStart'] | null
    keptEnd: RowOf<'events', 'keptEnd'>['keptEnd'] | null
    at: RowOf<'odd_input', 'created_at'>['created_at']
  }

/** Input that was kept and not understood, newest first; of one execution, or of the projects. @throws BadCursorError */
export async function listOdd(
  db: Db,
  {
    projectIds,
    executionId,
    cursor,
    limit,
  }: { projectIds: string[]; executionId?: string; cursor?: string | null; limit?: number },
): Promise<Page<OddEntry>> {
  const [before] = parseCursor('odd', ['uuid'], cursor) ?? ['ffffffff-ffff-ffff-ffff-ffffffffffff']
  const rows = Math.min(Math.max(1, limit ?? limits.pageRows), limits.pageRowsMax)
  if (projectIds.length === 0 || (executionId !== undefined && !isUuid(executionId)))
    return { items: [], nextCursor: null }
  const found = await db.sql<OddEntry[]>`
    select o.id, o.execution_id as "executionId", s.stream_id as "streamId", s.file_name as "fileName", k.sha256 as received,
      o.byte_offset as "byteStart", v.kept_start as "keptStart", v.kept_end as "keptEnd", o.line, o.reason, o.detail, o.created_at as at
    from odd_input o
    left join streams s on s.project_id = o.project_id and s.id = o.stream_id
    left join received k on k.project_id = o.project_id and k.id = o.received_id
    left join events v on v.project_id = o.project_id and v.execution_id = o.execution_id and v.stream_id = o.stream_id and v.byte_offset = o.byte_offset
    where o.project_id = any (${projectIds}::uuid[]) and o.id < ${before!}
      ${executionId === undefined ? db.sql`` : db.sql`and o.execution_id = ${executionId}`}
    order by o.id desc limit ${rows + 1}`
  const items = found.slice(0, rows)
  return { items, nextCursor: found.length > rows ? formatCursor('odd', items.at(-1)!.id) : null }
}
