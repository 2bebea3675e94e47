import type { CallItem } from '@/lib/api/schemas'
import type { Db } from '@/db/client'
import { listCalls } from '@/db/queries/calls'
import { firstAndLast } from '@/lib/views/calls/ends'

/** The first and the last failure of an execution to look at: none, one or two calls. */
export async function readFailing(db: Db, projectIds: string[], id: string): Promise<CallItem[]> {
  let failing: CallItem[] = []
  let cursor: string | null = null
  do {
    const page = await listCalls(db, { projectIds, id, failedOnly: true, cursor })
    // The ends of what was read so far and of what follows are the ends of both.
    failing = firstAndLast([...failing, ...page.items])
    cursor = page.nextCursor
  } while (cursor !== null)
  return failing
}
