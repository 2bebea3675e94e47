import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** What is held of a stream: a client that follows a file continues where this ends. */
export interface StreamStanding {
  streamId: string
  fileName: string | null
  nextOffset: number
  /** Digests and lengths are those of the original bytes. */
  parts: { offset: number; length: number; sha256: string; pending: boolean }[]
}

/**
 * The stream of this name; null when nothing of it was received in these projects.
 *
 * @param source name of the source that the stream has to be of: each source has its own streams; null takes the longest of this name
 */
export async function readStreamStanding(
  db: Db,
  projectIds: string[],
  streamId: string,
  source: string | null = null,
): Promise<StreamStanding | null> {
  if (projectIds.length === 0 || streamId.includes('\0')) return null
  const [stream] = await db.sql<RowOf<'streams', 'project_id' | 'id' | 'file_name' | 'next_offset'>[]>`
    select t.project_id, t.id, t.file_name, t.next_offset from streams t join sources s on s.project_id = t.project_id and s.id = t.source_id
    where t.project_id = any (${projectIds}::uuid[]) and t.stream_id = ${streamId} and (${source}::text is null or s.name = ${source})
    order by t.next_offset desc, t.id limit 1`
  if (!stream) return null
  const parts = await db.sql<
    ({
      offset: RowOf<'stream_parts', 'byte_offset'>['byte_offset']
      length: RowOf<'stream_parts', 'original_length'>['original_length']
      sha256: RowOf<'stream_parts', 'original_sha256'>['original_sha256']
    } & Pick<StreamStanding['parts'][number], 'pending'>)[]
  >`
    select byte_offset as offset, original_length as length, original_sha256 as sha256, state = 'pending' as pending from stream_parts
    where project_id = ${stream.project_id} and stream_id = ${stream.id} order by byte_offset, original_length`
  return { streamId, fileName: stream.file_name, nextOffset: stream.next_offset, parts: [...parts] }
}
