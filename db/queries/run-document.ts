import type { LayerState } from '@/lib/model/parity'
import { memberAt, parseExactJson, type ExactJson } from '@/lib/text/exact-json'
import { limits } from '@/lib/limits'
import type { RowVersions } from '@/lib/judge/parity/row-versions'
import { runDocument, type RunDocument } from '@/lib/judge/parity/run-document'
import type { Sql, Tx } from '../client'
import type { RowOf } from '../schema/rows'
import type { CaptureFact } from '@/lib/model/workflow-facts'

interface Slice {
  eventId: string | null
  capture: CaptureFact | null
  ofTables: boolean
  received: RowOf<'received', 'sha256'>['sha256']
  start: RowOf<'events', 'kept_start'>['kept_start']
  end: RowOf<'events', 'kept_end'>['kept_end']
  /** A part of them. */
  bytes: RowOf<'received', 'bytes'>['bytes']
}

/** A run of a workflow engine as its rows say, or why that is not known. */
export type StoredRun =
  | { state: 'read'; run: RunDocument; versions: RowVersions[] }
  | { state: Exclude<LayerState, 'read'> }

/**
 * Puts a run together from the kept bytes that its rows here point to: the newest document of it, without its list of rows, and every row once. Null when
 * nothing of a workflow engine is known of the execution.
 *
 * @param withCaptures whether rows hold what was captured at the worker
 */
export async function readRunDocument(
  sql: Sql | Tx,
  projectId: string,
  id: string,
  withCaptures: boolean,
): Promise<StoredRun | null> {
  const own = sql`v.project_id = ${projectId} and v.execution_id = ${id} and v.channel = 'rows'`
  const [size] = await sql<{ rows: number; bytes: string; incomplete: string | null }[]>`
    select count(*)::int as rows, coalesce(sum(v.kept_end - v.kept_start), 0)::text as bytes,
      (select labels->>'rows' from executions e where e.project_id = ${projectId} and e.id = ${id}) as incomplete
    from events v where ${own} and v.facts ? 'row'`
  if (!size || size.rows === 0) return null
  if (Number(size.bytes) > limits.parityBytesMax || size.rows > limits.rederiveRecordsMax)
    return { state: 'skipped_too_large' }
  if (size.incomplete !== null) return { state: 'incomplete' }
  const slice = sql`substring(r.bytes from v.kept_start + 1 for v.kept_end - v.kept_start) as bytes`
  const received = sql`join received r on r.project_id = v.project_id and r.id = v.received_id`
  const [around] = await sql<RowOf<'received', 'bytes'>[]>`
    select ${slice} from events v ${received}
    where ${own} and v.facts->'document'->>'form' = 'detail'
    order by case when v.facts->'document'->'rows'->>'newest' ~ '^[0-9]{1,30}$' then (v.facts->'document'->'rows'->>'newest')::numeric end desc nulls last,
      r.sha256, v.kept_start limit 1`
  const found = await sql<Slice[]>`
    select v.facts->'row'->>'eventId' as "eventId", v.facts->'capture' as capture, coalesce(v.facts->'row' ?| array['commandId', 'attempt', 'nodeType', 'workerId'], false) as "ofTables",
      r.sha256 as received, v.kept_start as start, v.kept_end as end, ${slice} from events v ${received}
    where ${own} and (v.facts ? 'row' or (${withCaptures} and v.facts ? 'capture'))
    order by case when v.facts->'row'->>'eventId' ~ '^[0-9]{1,30}$' then (v.facts->'row'->>'eventId')::numeric end nulls last,
      -- As a run is read: of two tellings of a row that of the tables stands, which leaves nothing out, else the longer one, which holds more.
      "ofTables" desc, v.kept_end - v.kept_start desc, r.sha256, v.kept_start`
  const rows: ExactJson[] = []
  const captures = []
  const versions: RowVersions[] = []
  const used = new Map<string, { value: ExactJson; ofTables: boolean; bytes: Uint8Array }>()
  for (const { eventId, capture, ofTables, received: sha256, start, end, bytes } of found) {
    const value = exact(bytes)
    if (value === undefined) return { state: 'unreadable' }
    if (capture) {
      captures.push({ ...capture, reply: memberAt(value, ...capture.path.split('/')) ?? null })
      continue
    }
    const known = eventId === null ? undefined : used.get(eventId)
    if (known === undefined) rows.push(value)
    else if (Buffer.compare(known.bytes, bytes) !== 0)
      versions.push({
        eventId: eventId!,
        used: known.value,
        usedOfTables: known.ofTables,
        other: value,
        received: sha256,
        byteStart: start,
        byteEnd: end,
      })
    if (eventId !== null && known === undefined) used.set(eventId, { value, ofTables, bytes })
  }
  const head = around === undefined ? null : exact(around.bytes)
  return head === undefined
    ? { state: 'unreadable' }
    : { state: 'read', run: runDocument(head, rows, captures), versions }
}

function exact(bytes: Uint8Array): ExactJson | undefined {
  const read = parseExactJson(new TextDecoder().decode(bytes))
  return read.ok ? read.value : undefined
}
