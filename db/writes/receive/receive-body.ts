import { documentSpans, type DocumentSpans } from '@/lib/bytes/json-spans'
import { sha256 } from '../../sha256'
import type { IngestBody } from './ingest-body'
import { nameStream, type NamedStream } from './name-stream'

/** A body that goes into a stream, as the steps hand it on. */
export interface ReceivedBody {
  body: IngestBody
  /** Of all its bytes. */
  originalSha256: string
  name: NamedStream
  /** Where its records are when it is one document, null when it is lines. Looked for once: a document may have hundreds of megabytes. */
  document: DocumentSpans | null
}

/** @throws MissingStreamError when the body begins inside of a stream that it does not name */
export async function receiveBody(body: IngestBody): Promise<ReceivedBody> {
  const document = documentSpans(body.bytes)
  return { body, originalSha256: sha256(body.bytes), name: await nameStream(body, document), document }
}
