import type { ReceivedPart } from '@/lib/api/ingest-schemas'
import type { Db } from '../client'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'
import { storeText } from '@/lib/words/server/store'

/** The kept parts that an execution's streams are made of, in the order of its streams. */
export async function listReceivedParts(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  id: string,
): Promise<ReceivedPart[]> {
  if (!isUuid(id) || projectIds.length === 0) return []
  return db.sql<
    (RowOf<'streams', 'streamId' | 'channel'> &
      RowOf<'stream_parts', 'originalLength' | 'originalSha256' | 'receivedAt'> &
      RowOf<'received', 'keptLength'> & {
        received: RowOf<'received', 'sha256'>['sha256']
        offset: RowOf<'stream_parts', 'byte_offset'>['byte_offset']
        redactions: RowOf<'stream_parts', 'marks'>['marks']
      })[]
  >`
    select r.sha256 as received, s.stream_id as "streamId", s.channel, s.channel as door, p.byte_offset as offset, p.original_length as "originalLength",
      p.original_sha256 as "originalSha256", r.kept_length as "keptLength", p.marks as redactions, p.received_at as "receivedAt"
    from execution_streams x
    join streams s on s.project_id = x.project_id and s.id = x.stream_id
    join stream_parts p on p.project_id = s.project_id and p.stream_id = s.id
    join received r on r.project_id = p.project_id and r.id = p.received_id
    where x.project_id = any (${projectIds}::uuid[]) and x.execution_id = ${id}
    order by x.first_at nulls last, s.stream_id, p.byte_offset, p.received_at`
}

export interface ReceivedRange {
  bytes: Uint8Array
  /** Length of the whole part. */
  keptLength: number
  start: number
  end: number
}

/**
 * A range of kept bytes by the digest of the whole; the rest is not read from disk. Null when the projects hold no such part.
 *
 * @param start first byte; @param end behind the last one; both are moved to where there are bytes
 */
export async function readReceivedRange(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  sha256: string,
  start = 0,
  end = Number.MAX_SAFE_INTEGER,
): Promise<ReceivedRange | null> {
  const [part] = await db.sql<RowOf<'received', 'project_id' | 'id' | 'kept_length'>[]>`
    select r.project_id, r.id, r.kept_length from received_keys k join received r on r.project_id = k.project_id and r.id = k.received_id
    where k.project_id = any (${projectIds}::uuid[]) and k.sha256 = ${sha256} limit 1`
  if (!part) return null
  const from = Math.min(Math.max(0, start), part.kept_length)
  const to = Math.min(Math.max(from, end), part.kept_length)
  const [row] = await db.sql<{ bytes: Uint8Array }[]>`
    select substring(bytes from ${from + 1}::int for ${to - from}::int) as bytes from received where project_id = ${part.project_id} and id = ${part.id}`
  return { bytes: row!.bytes, keptLength: part.kept_length, start: from, end: to }
}

/** A reader that takes nothing holds no more than a few of these, whatever the length of the part. */
const PIECE_BYTES = 1_048_576

export interface ReceivedPieces extends Omit<ReceivedRange, 'bytes'> {
  /** The bytes, each piece read when it is asked for. Throws where the part is removed meanwhile. */
  pieces: AsyncGenerator<Uint8Array>
}

/** The same range, piece by piece; null when the projects hold no such part. */
export async function receivedPieces(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  sha256: string,
  start = 0,
  end = Number.MAX_SAFE_INTEGER,
): Promise<ReceivedPieces | null> {
  const about = await readReceivedRange(db, projectIds, sha256, 0, 0)
  if (about === null) return null
  const { keptLength } = about
  const from = Math.min(Math.max(0, start), keptLength)
  const to = Math.min(Math.max(from, end), keptLength)
  async function* read(): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to; at += PIECE_BYTES) {
      const piece = await readReceivedRange(db, projectIds, sha256, at, Math.min(at + PIECE_BYTES, to))
      if (piece === null) throw new Error(storeText.partGone({ sha256 }))
      yield piece.bytes
    }
  }
  return { keptLength, start: from, end: to, pieces: read() }
}
