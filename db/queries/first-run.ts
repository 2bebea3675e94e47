import type { Db } from '../client'

export interface FirstRunState {
  /** Nobody can sign in yet. */
  noPeople: boolean
  /** Nothing was ever received. */
  empty: boolean
  sources: number
}

/** What an empty list means: nothing received yet, or nothing that matches. */
export async function firstRunState(db: Db, projectIds?: string[]): Promise<FirstRunState> {
  const within = projectIds === undefined ? db.sql`` : db.sql`where project_id = any (${projectIds}::uuid[])`
  const [row] = await db.sql<{ people: boolean; received: boolean; sources: number }[]>`
    select exists (select 1 from people) as people, exists (select 1 from stream_parts ${within}) as received,
      (select count(*)::int from sources ${within}) as sources`
  return { noPeople: !row!.people, empty: !row!.received, sources: row!.sources }
}
