import type { Db } from '@/db/client'
import { MISSING_STREAM } from '@/db/writes/receive/name-stream'
import { DOCUMENT_TOO_LARGE } from '@/db/writes/receive/document-limit'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { failureTag } from './config'
import { ingest } from './ingest'
import { metrics } from './metrics'
import { Refusal } from './respond'
import { producerOf, type IngestKind } from '@/lib/model/ingest-kinds'

export interface Incoming {
  projectId: string
  sourceName: string | null
  kind: IngestKind
  bytes: Uint8Array
  fileName?: string | null
  streamId?: string | null
  offset?: number
  more?: boolean
}

/** Hands a body to the writer and counts it. @throws Refusal `bad-request` when its offset is given, but not the stream, `too-large` when it is too large a document */
export async function takeIn(db: Db, { sourceName, ...body }: Incoming): Promise<IngestAnswer> {
  // The bytes are gone once they are handed over.
  const { length } = body.bytes
  try {
    const answer = await ingest(db, {
      ...body,
      failureTag: failureTag(),
      source: sourceName === null ? null : { kind: producerOf(body.kind), name: sourceName },
    })
    const { ingestBytes, ingestRecords } = metrics()
    ingestBytes.inc({ kind: body.kind }, length)
    ingestRecords.inc({ kind: body.kind, what: 'accepted' }, answer.accepted)
    ingestRecords.inc({ kind: body.kind, what: 'duplicate' }, answer.duplicates)
    ingestRecords.inc({ kind: body.kind, what: 'odd' }, answer.oddTotal)
    return answer
  } catch (error) {
    if (error instanceof Error && error.name === MISSING_STREAM)
      throw new Refusal('bad-request', `${error.message}.`)
    if (error instanceof Error && error.name === DOCUMENT_TOO_LARGE)
      throw new Refusal('too-large', `${error.message}.`)
    throw error
  }
}
