import { summaryText } from '@/lib/words/event-summaries'
import { oddDetailText } from '@/lib/words/odd-details'
import { v7 } from 'uuid'
import type { InputChannel, NormalRecord } from '@/lib/model/normal-form'
import type { RedactionMark } from '@/lib/text/redaction/finding'
import { storable } from '@/lib/formats/storable'
import type { Tx } from '../../client'
import { marksWithin } from '../receive/marks-within'
import { copyRows, type CopyColumn } from '../../copy-binary'
import { storeReceipts } from './store-receipts'

/** One record on its way into `events`; its texts are storable since it was read (`parsePart`). */
export interface EventRow {
  executionId: string
  streamId: string
  receivedId: string
  channel: InputChannel
  /** Offset in its stream: that of the record, but 0 for a hook frame, which is a stream of its own. */
  offset: number
  record: NormalRecord
  /** Of the part the record came from. */
  marks: readonly RedactionMark[]
}

export const EVENT_COPY = (projectId: string): CopyColumn<EventRow>[] => [
  { name: 'project_id', type: 'uuid', value: () => projectId },
  { name: 'execution_id', type: 'uuid', value: (row) => row.executionId },
  { name: 'stream_id', type: 'uuid', value: (row) => row.streamId },
  { name: 'byte_offset', type: 'int8', value: (row) => row.offset },
  { name: 'length', type: 'int4', value: (row) => row.record.length },
  { name: 'identity', type: 'text', value: (row) => row.record.identity },
  { name: 'channel', type: 'text', value: (row) => row.channel },
  { name: 'kind', type: 'text', value: (row) => row.record.kind },
  { name: 'type', type: 'text', value: (row) => row.record.type },
  { name: 'at', type: 'timestamptz', value: (row) => row.record.at },
  { name: 'parent_uuid', type: 'text', value: (row) => row.record.parentUuid },
  { name: 'summary', type: 'text', value: (row) => summaryText(row.record.summary) },
  { name: 'odd_reason', type: 'text', value: (row) => row.record.oddReason ?? null },
  {
    name: 'odd_detail',
    type: 'text',
    value: (row) => (row.record.oddDetail ? oddDetailText(row.record.oddDetail) : undefined),
  },
  { name: 'facts', type: 'jsonb', value: (row) => JSON.stringify(row.record.facts) },
  { name: 'received_id', type: 'uuid', value: (row) => row.receivedId },
  { name: 'kept_start', type: 'int4', value: (row) => row.record.keptStart },
  { name: 'kept_end', type: 'int4', value: (row) => row.record.keptEnd },
]

/** Adds events, the counts of their streams and the entries of odd ones. */
export async function storeEvents(
  tx: Tx,
  projectId: string,
  rows: readonly EventRow[],
  sent: { add(statement: Promise<unknown>): void },
): Promise<void> {
  if (rows.length === 0) return
  await copyRows(tx, 'events', EVENT_COPY(projectId), rows)
  await storeReceipts(tx, projectId, rows)
  const links = new Map<
    string,
    {
      executionId: string
      streamId: string
      events: number
      redactions: number
      firstAt: string | null
      firstAtOffset: number | null
    }
  >()
  for (const row of rows) {
    const key = `${row.executionId} ${row.streamId}`
    const link = links.get(key) ?? {
      executionId: row.executionId,
      streamId: row.streamId,
      events: 0,
      redactions: 0,
      firstAt: null,
      firstAtOffset: null,
    }
    link.events++
    if (!row.record.within)
      link.redactions += marksWithin(row.marks, row.record.keptStart, row.record.keptEnd)
    if (row.record.at !== null && (link.firstAtOffset === null || row.offset < link.firstAtOffset)) {
      link.firstAt = row.record.at
      link.firstAtOffset = row.offset
    }
    links.set(key, link)
  }
  const list = [...links.values()]
  sent.add(
    tx`
    insert into execution_streams as x (project_id, execution_id, stream_id, events, redactions, first_at, first_at_offset)
    select ${projectId}, * from unnest(${list.map((l) => l.executionId)}::uuid[], ${list.map((l) => l.streamId)}::uuid[], ${list.map((l) => l.events)}::int[],
      ${list.map((l) => l.redactions)}::int[], ${list.map((l) => l.firstAt)}::timestamptz[], ${list.map((l) => l.firstAtOffset)}::bigint[])
    on conflict (project_id, execution_id, stream_id) do update set events = x.events + excluded.events, redactions = x.redactions + excluded.redactions,
      first_at = case when x.first_at_offset is null or excluded.first_at_offset < x.first_at_offset then excluded.first_at else x.first_at end,
      first_at_offset = least(x.first_at_offset, excluded.first_at_offset)`.execute(),
  )
  await storeOdd(
    tx,
    projectId,
    rows
      .filter((row) => row.record.oddReason !== undefined)
      .map((row) => ({ ...oddRow(row), executionId: row.executionId })),
  )
}

/** The entry of an odd record; without an execution for one that belongs to none. */
export const oddRow = ({
  streamId,
  receivedId,
  offset,
  record,
}: Pick<EventRow, 'streamId' | 'receivedId' | 'offset' | 'record'>): OddRow => ({
  streamId,
  executionId: null,
  receivedId,
  offset,
  reason: record.oddReason!,
  detail: oddDetailText(record.oddDetail!),
})

export interface OddRow {
  streamId: string | null
  executionId: string | null
  receivedId: string | null
  offset: number
  reason: string
  detail: string
}

export async function storeOdd(tx: Tx, projectId: string, rows: readonly OddRow[]): Promise<void> {
  if (rows.length === 0) return
  await copyRows(
    tx,
    'odd_input',
    [
      { name: 'project_id', type: 'uuid', value: () => projectId },
      { name: 'id', type: 'uuid', value: () => v7() },
      { name: 'stream_id', type: 'uuid', value: (row: OddRow) => row.streamId },
      { name: 'execution_id', type: 'uuid', value: (row) => row.executionId },
      { name: 'received_id', type: 'uuid', value: (row) => row.receivedId },
      { name: 'byte_offset', type: 'int8', value: (row) => row.offset },
      { name: 'reason', type: 'text', value: (row) => row.reason },
      { name: 'detail', type: 'text', value: (row) => storable(row.detail) },
    ],
    rows,
  )
}
