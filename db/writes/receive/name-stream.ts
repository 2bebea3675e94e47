import type { DocumentSpans } from '@/lib/bytes/json-spans'
import { peekPart } from '@/lib/formats/peek-part'
import { storable } from '@/lib/formats/storable'
import { streamIdentity } from '@/lib/formats/stream-identity'
import type { Tx } from '../../client'
import { DEFAULT_SOURCE } from '../../same-sessions'
import { ensureSource, type SourceRef } from './ensure-source'
import type { IngestBody } from './ingest-body'
import { producerOf } from '@/lib/model/ingest-kinds'
import { storeText } from '@/lib/words/server/store'

/** What the beginning of a body says about the stream it belongs to. */
export interface NamedStream {
  streamId: string
  /** As the database can hold it: what streams, sources and executions are looked up by. */
  sessionId: string | null
  /** As it came: what the first record is read with. */
  said: { sessionId: string | null; agentId: string | null }
}

/** @param document what `documentSpans` says of the bytes, where that is known */
export async function nameStream(
  { kind, bytes, fileName, streamId, offset }: IngestBody,
  document?: DocumentSpans | null,
): Promise<NamedStream> {
  // A later piece begins somewhere inside: its first record names another stream, so the caller has to.
  const peek = await peekPart(kind, bytes, fileName, document)
  const names = {
    sessionId: peek.sessionId === null ? null : storable(peek.sessionId),
    said: { sessionId: peek.sessionId, agentId: peek.agentId },
  }
  if (streamId) return { streamId: storable(streamId), ...names }
  if (offset) throw new MissingStreamError()
  return { streamId: streamIdentity({ kind, ...peek }), ...names }
}

/** Name of the error below, also where it comes from another thread. A build that shortens names changes that of the class. */
export const MISSING_STREAM = 'MissingStreamError'

/** An offset was given, but not which stream it is an offset in. */
export class MissingStreamError extends Error {
  override name = MISSING_STREAM
  constructor() {
    super(storeText.streamNotNamed)
  }
}

/**
 * The named source; without one, that under which the stream or the session is known already, else the default one.
 */
export async function chooseSource(
  tx: Tx,
  body: IngestBody,
  streamId: string | null,
  sessionId: string | null,
): Promise<SourceRef> {
  const { projectId, source } = body
  const producer = producerOf(body.kind)
  const named =
    source !== null && !(source.kind === producer && source.name === DEFAULT_SOURCE) ? source : null
  const kind = named?.kind ?? producer
  const [known] = await tx<SourceRef[]>`
    select id, kind, name, redact from (
      select s.id, s.kind, s.name, s.redact, 0 as rank, t.id as first from streams t join sources s on s.project_id = t.project_id and s.id = t.source_id
      where t.project_id = ${projectId} and t.stream_id = ${streamId} and s.kind = ${kind}
      union all
      select s.id, s.kind, s.name, s.redact, 1, k.execution_id from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
      where k.project_id = ${projectId} and k.external_id = ${sessionId} and s.kind = ${kind}) known
    where ${named === null} or name = ${named?.name ?? null} or (rank = 0 and name = ${DEFAULT_SOURCE})
    order by (name = ${named?.name ?? null}) desc nulls last, rank, first limit 1`
  return known ?? ensureSource(tx, projectId, kind, named?.name ?? DEFAULT_SOURCE)
}
