import type { Db } from '@/db/client'
import { ingestBody, MissingStreamError } from '@/db/writes/ingest'
import type { IngestAnswer } from '@/lib/api/schemas'
import type { IngestKind } from '@/lib/ingest/normal-form'
import { metrics } from './metrics'
import { Refusal } from './respond'

/** All kinds that are read today come from one producer. */
const SOURCE_KIND = 'claude-code'

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

/** Hands a body to the writer and counts it. @throws Refusal `bad-request` when its place in a stream is told, but not the stream */
export async function takeIn(db: Db, { sourceName, ...body }: Incoming): Promise<IngestAnswer> {
  try {
    const answer = await ingestBody(db, { ...body, source: sourceName === null ? null : { kind: SOURCE_KIND, name: sourceName } })
    const { ingestBytes, ingestRecords } = metrics()
    ingestBytes.inc({ kind: body.kind }, body.bytes.length)
    ingestRecords.inc({ kind: body.kind, what: 'accepted' }, answer.accepted)
    ingestRecords.inc({ kind: body.kind, what: 'duplicate' }, answer.duplicates)
    ingestRecords.inc({ kind: body.kind, what: 'odd' }, answer.oddTotal)
    return answer
  } catch (error) {
    if (error instanceof MissingStreamError) throw new Refusal('bad-request', `${error.message}.`)
    throw error
  }
}
