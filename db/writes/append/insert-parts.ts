import { v7 } from 'uuid'
import type { RedactionMark } from '@/lib/text/redaction/finding'
import type { LineMap } from '../../schema/received'
import type { Transaction } from './writing'

export interface StoredPart {
  streamRow: string
  offset: number
  length: number
  sha256: string
  receivedId: string
  state: 'folded' | 'pending'
  marks: readonly RedactionMark[]
  lines: LineMap | null
}

/** Notes which bytes belong to which streams. */
export function insertParts({ tx, projectId, sent }: Transaction, parts: readonly StoredPart[]): void {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
  sent.add(
    tx`
    insert into stream_parts (project_id, id, stream_id, byte_offset, original_length, original_sha256, received_id, state, marks, lines)
    select ${projectId}, id, stream_id, byte_offset, length, sha256, received_id, state, marks::jsonb, lines::jsonb
    from unnest(${parts.map(() => v7())}::uuid[], ${parts.map((p) => p.streamRow)}::uuid[], ${parts.map((p) => p.offset)}::bigint[], ${parts.map((p) => p.length)}::int[],
      ${parts.map((p) => p.sha256)}::text[], ${parts.map((p) => p.receivedId)}::uuid[], ${parts.map((p) => p.state)}::text[], ${parts.map((p) => json(p.marks))}::text[],
      ${parts.map((p) => json(p.lines))}::text[]) p(id, stream_id, byte_offset, length, sha256, received_id, state, marks, lines)
    on conflict (project_id, stream_id, byte_offset, original_sha256) do nothing`.execute(),
  )
}
