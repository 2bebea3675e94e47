import type { AttemptItem } from '@/lib/api/schemas'
import type { Db } from '@/db/client'
import { listAttempts } from '@/db/queries/attempts'

/** The first and the last failed call of an execution: none, one or two of them. */
export async function readFailing(db: Db, projectIds: string[], id: string): Promise<AttemptItem[]> {
  let page = await listAttempts(db, { projectIds, id, failedOnly: true })
  const first = page.items[0]
  while (page.nextCursor !== null) page = await listAttempts(db, { projectIds, id, failedOnly: true, cursor: page.nextCursor })
  const last = page.items.at(-1)
  if (!first || !last) return []
  return first.callId === last.callId ? [first] : [first, last]
}
