import type { EventItem } from '@/lib/api/schemas'
import type { Pointer } from '@/lib/model/execution'
import { judgeFailure } from '@/lib/judge/calls/failure-class'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { columnsOf, computed, joinLists, runText, type Selected } from '../statement-text'
import { withChannelAlias } from './channel-alias'
import { formatCursor, isUuid, parseCursor } from './cursor'
import type { RowOf } from '../schema/rows'
import type { Page } from '@/lib/model/page'

export interface ListEventsOptions {
  projectIds: string[]
  id: string
  cursor?: string | null
  limit?: number
  /** Starts the page a little before the record that holds this place of the kept bytes; the cursor is ignored then. */
  around?: Pointer | null
}

interface StreamPlace {
  id: string
  name: string
  events: number
  /** Events of the streams before it. */
  before: number
}

const EVENT = joinLists(
  columnsOf('events v', [
    'byte_offset',
    'channel',
    'kind',
    'type',
    'at',
    'summary',
    'odd_reason',
    'odd_detail',
    'kept_start',
    'kept_end',
  ]),
  columnsOf('received r', ['sha256']),
  computed<{
    stream: RowOf<'events', 'stream_id'>['stream_id']
    facts: Pick<RowOf<'events', 'facts'>['facts'], 'calls' | 'results'>
    /** Of a row of an engine. */
    row_label: string | null
    row_id: string | null
  }>(`v.stream_id as stream, jsonb_build_object('calls', v.facts->'calls', 'results', v.facts->'results') as facts,
    v.facts->'row'->>'label' as row_label, v.facts->'row'->>'eventId' as row_id`),
)

type EventRow = Selected<typeof EVENT>

/** Events shown before the one that was asked for, so that it is not at the very top. */
const LEAD = 10

/**
 * The events of an execution in the order of its analysis: streams by the time of their first record, receipts of one time by their place in
 * their chain, then by name; inside a
 * stream by offset. `ordinal` is the place in that order as it is known now. `prevCursor` leads to the page before, when there is one.
 *
 * @throws BadCursorError
 */
export async function listEvents(
  db: Db,
  { projectIds, id, cursor, limit, around }: ListEventsOptions,
): Promise<Page<EventItem> & { prevCursor: string | null }> {
  const rows = Math.min(Math.max(1, limit ?? limits.pageRows), limits.pageRowsMax)
  const parsed = parseCursor('events', ['int'], cursor)
  const none = { items: [], nextCursor: null, prevCursor: null }
  if (!isUuid(id) || projectIds.length === 0) return none
  const { project, streams } = await readStreams(db, projectIds, id)
  if (project === null) return none
  const total = streams.reduce((n, stream) => n + stream.events, 0)
  const asked = around ? await ordinalOf(db, project, id, streams, around) : null
  const start = Math.max(0, asked === null ? Number(parsed?.[0] ?? 0) : asked - LEAD)
  const items = await readFrom(db, project, id, streams, start, rows)
  return {
    items,
    nextCursor:
      start + items.length < total && items.length > 0 ? formatCursor('events', start + items.length) : null,
    prevCursor: start > 0 ? formatCursor('events', Math.max(0, start - rows)) : null,
  }
}

async function readStreams(
  db: Db,
  projectIds: string[],
  id: string,
): Promise<{ project: string | null; streams: StreamPlace[] }> {
  const rows = await db.sql<
    (RowOf<'execution_streams', 'project_id' | 'events'> & {
      id: RowOf<'execution_streams', 'stream_id'>['stream_id']
      name: RowOf<'streams', 'stream_id'>['stream_id']
    })[]
  >`
    select x.project_id, x.stream_id as id, s.stream_id as name, x.events
    from execution_streams x join streams s on s.project_id = x.project_id and s.id = x.stream_id
    left join receipts c on c.project_id = s.project_id and c.stream_id = s.id
    where x.project_id = any (${projectIds}::uuid[]) and x.execution_id = ${id}
    order by x.first_at nulls last, coalesce(c.chain_id, ''), c.place, s.stream_id`
  let before = 0
  const streams = rows.map(({ id, name, events }) => {
    const place = { id, name, events, before }
    before += events
    return place
  })
  return { project: rows[0]?.project_id ?? null, streams }
}

/**
 * A place is a number of events to skip: the streams before are known by their counts, and inside one stream the records are
 * walked by the primary key. Every hook frame is a stream of its own, so short streams are read together.
 */
async function readFrom(
  db: Db,
  project: string,
  id: string,
  streams: StreamPlace[],
  start: number,
  rows: number,
): Promise<EventItem[]> {
  const wanted = streams.filter(
    (stream) => stream.events > 0 && stream.before + stream.events > start && stream.before < start + rows,
  )
  const skip = wanted.length > 0 ? Math.max(0, start - wanted[0]!.before) : 0
  if (wanted.length === 0) return []
  const found = await runText<EventRow>(db, {
    text: `select ${EVENT.text} from unnest($3::uuid[], $4::int[]) with ordinality w(stream_id, skip, place)
     cross join lateral (
       select * from events where project_id = $1 and execution_id = $2 and stream_id = w.stream_id order by byte_offset offset w.skip limit $5) v
     join received r on r.project_id = v.project_id and r.id = v.received_id
     order by w.place, v.byte_offset limit $5`,
    params: [
      project,
      id,
      wanted.map((stream) => stream.id),
      wanted.map((_, i) => (i === 0 ? skip : 0)),
      rows,
    ],
  })
  const names = new Map(wanted.map((stream) => [stream.id, stream.name]))
  return found.map((row, i) => toEvent(row, start + i, names.get(row.stream)!))
}

async function ordinalOf(
  db: Db,
  project: string,
  id: string,
  streams: StreamPlace[],
  at: Pointer,
): Promise<number | null> {
  const rows = await db.sql<RowOf<'events', 'stream_id' | 'byte_offset'>[]>`
    select v.stream_id, v.byte_offset from events v join received_keys k on k.project_id = v.project_id and k.received_id = v.received_id
    where v.project_id = ${project} and v.execution_id = ${id} and k.sha256 = ${at.received} and v.kept_start <= ${at.byteStart} and v.kept_end >= ${at.byteStart}
    order by v.kept_end > ${at.byteStart} desc, v.kept_end - v.kept_start`
  // A record may be inside of another: the narrower one is meant.
  const held = rows.flatMap((row) => {
    const stream = streams.find((s) => s.id === row.stream_id)
    return stream ? [{ stream, offset: row.byte_offset }] : []
  })
  const first = held.sort((a, b) => a.stream.before - b.stream.before)[0]
  if (!first) return null
  const [count] = await db.sql<{ n: number }[]>`
    select count(*)::int as n from events
    where project_id = ${project} and execution_id = ${id} and stream_id = ${first.stream.id} and byte_offset < ${first.offset}`
  return first.stream.before + count!.n
}

function toEvent(row: EventRow, ordinal: number, streamId: string): EventItem {
  const results = row.facts.results ?? []
  const failed = results.find((result) => result.failed)
  const pointer = { received: row.sha256, byteStart: row.kept_start, byteEnd: row.kept_end }
  return withChannelAlias({
    ordinal,
    streamId,
    offset: row.byte_offset,
    channel: row.channel,
    kind: row.kind,
    type: row.type,
    at: row.at,
    summary: row.summary,
    oddReason: row.odd_reason,
    oddDetail: row.odd_detail,
    callIds: (row.facts.calls ?? []).map((call) => call.callId),
    resultCallIds: results.map((result) => result.callId),
    failed:
      failed !== undefined ||
      row.kind === 'api_error' ||
      row.row_label === 'tool_error' ||
      row.row_label === 'agent_failure',
    failureClass: failed ? judgeFailure({ result: failed, pointer }).verdict : null,
    rowId: row.row_id,
    pointer,
  })
}
