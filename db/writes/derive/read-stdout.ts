import { createStdoutParser, type ParsedStdout } from '@/lib/judge/decisions/parse-stdout'
import type { Tx } from '../../client'
import type { RowOf } from '../../schema/rows'
import type { RunFact } from '@/lib/model/run-facts'

/** What a recorded process printed, read into a session from the bytes that were kept. */
export interface StdoutRead {
  parsed: ParsedStdout
  /** Something was taken out of the bytes before they were kept. */
  redacted: boolean
}

type StreamRow = RowOf<'streams', 'id'> & {
  bytes: number
  redacted: boolean
}

/**
 * Reads the output of a recorded process part by part. Null when the process is not known to have ended, or not all of what it printed is
 * here (yet): such output is not to be judged.
 */
export async function readStdout(
  tx: Tx,
  projectId: string,
  executionId: string,
  { stdout, recordId }: RunFact,
): Promise<StdoutRead | null> {
  if (stdout.bytes === null) return null
  // What waited in a spool was redacted there.
  const sent = stdout.sentBytes ?? stdout.bytes
  const redactedBefore = sent !== stdout.bytes
  if (stdout.bytes === 0) return { parsed: createStdoutParser().finish(), redacted: false }
  if (stdout.kind === null)
    return readFromDocument(tx, projectId, executionId, recordId, { sent, redactedBefore })
  const streams = await tx<StreamRow[]>`
    select s.id, sum(p.original_length)::int8 as bytes, bool_or(p.marks <> '[]') as redacted
    from execution_streams x join streams s on s.project_id = x.project_id and s.id = x.stream_id
    join stream_parts p on p.project_id = s.project_id and p.stream_id = s.id and p.state = 'folded'
    where x.project_id = ${projectId} and x.execution_id = ${executionId} and s.channel = 'stream'
    group by s.id, s.file_name, s.created_at
    having sum(p.original_length) = ${sent}
    order by coalesce(s.file_name like ${`%${recordId}%`}, false) desc, s.created_at desc limit 1`
  const [stream] = streams
  if (!stream) return null
  const parser = createStdoutParser()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts = await tx<RowOf<'stream_parts', 'received_id'>[]>`
    select received_id from stream_parts where project_id = ${projectId} and stream_id = ${stream.id} and state = 'folded' order by byte_offset, received_at`
  for (const { received_id: id } of parts) {
    const [row] = await tx<
      RowOf<'received', 'bytes'>[]
    >`select bytes from received where project_id = ${projectId} and id = ${id}`
    parser.push(decoder.decode(row!.bytes, { stream: true }))
  }
  parser.push(decoder.decode())
  return { parsed: parser.finish(), redacted: redactedBefore || stream.redacted }
}

/** Output that was no stream of records is in the document of the record, piece by piece. */
async function readFromDocument(
  tx: Tx,
  projectId: string,
  executionId: string,
  recordId: string,
  { sent, redactedBefore }: { sent: number; redactedBefore: boolean },
): Promise<StdoutRead | null> {
  const parser = createStdoutParser()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let redacted = redactedBefore
  let seen = 0
  const events = await tx<RowOf<'events', 'received_id' | 'kept_start' | 'kept_end' | 'stream_id'>[]>`
    select e.received_id, e.kept_start, e.kept_end, e.stream_id from events e
    where e.project_id = ${projectId} and e.execution_id = ${executionId} and e.channel = 'record' and e.type = 'record.output'
      and e.stream_id in (select s.stream_id from events s where s.project_id = ${projectId} and s.execution_id = ${executionId}
        and s.type = 'record.start' and s.facts -> 'run' ->> 'recordId' = ${recordId})
    order by e.stream_id, e.byte_offset`
  for (const event of events) {
    const [row] = await tx<{ bytes: Uint8Array }[]>`
      select substring(bytes from ${event.kept_start + 1}::int for ${event.kept_end - event.kept_start}::int) as bytes
      from received where project_id = ${projectId} and id = ${event.received_id}`
    const piece = JSON.parse(new TextDecoder().decode(row!.bytes)) as {
      channel?: unknown
      text?: unknown
      base64?: unknown
    }
    if (piece.channel !== 'stdout') continue
    const raw =
      typeof piece.text === 'string'
        ? new TextEncoder().encode(piece.text)
        : Buffer.from(String(piece.base64 ?? ''), 'base64')
    seen += raw.length
    parser.push(decoder.decode(raw, { stream: true }))
  }
  parser.push(decoder.decode())
  if (seen !== sent) {
    const [marks] = await tx<{ n: number }[]>`
      select count(*)::int as n from execution_streams x join stream_parts p on p.project_id = x.project_id and p.stream_id = x.stream_id
      where x.project_id = ${projectId} and x.execution_id = ${executionId} and p.marks <> '[]'`
    // Pieces are missing, unless what was taken out explains the length.
    if (marks!.n === 0) return null
    redacted = true
  }
  return { parsed: parser.finish(), redacted }
}
