import type { Db } from '../client'

/** What is held of a stream: lengths and digests are those of the original bytes, before anything was taken out. */
export interface StreamStanding {
  streamId: string
  nextOffset: number
  parts: { offset: number; length: number; sha256: string }[]
}

/** How far a stream was received, so that a sender can go on from there; null when nothing of it is held. */
export async function readStreamStanding(db: Db, projectIds: string[], streamId: string, source: string | null): Promise<StreamStanding | null> {
  const [stream] = await db.sql<{ project_id: string; id: string; next_offset: number }[]>`
    select t.project_id, t.id, t.next_offset from streams t join sources s on s.project_id = t.project_id and s.id = t.source_id
    where t.project_id = any (${projectIds}::uuid[]) and t.stream_id = ${streamId}
    order by (s.name = ${source}) desc nulls last, t.next_offset desc limit 1`
  if (!stream) return null
  const parts = await db.sql<StreamStanding['parts']>`
    select byte_offset as offset, original_length as length, original_sha256 as sha256
    from stream_parts where project_id = ${stream.project_id} and stream_id = ${stream.id} order by byte_offset, original_length`
  return { streamId, nextOffset: stream.next_offset, parts: [...parts] }
}
