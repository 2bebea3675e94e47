import { documentSpans, elementSpans } from '@/lib/bytes/json-spans'
import { eachLine } from '@/lib/bytes/lines'
import { limits } from '@/lib/limits'
import { storeText } from '@/lib/words/server/store'
import type { IngestBody } from './ingest-body'

/** Name of the error below, also where it comes from another thread. */
export const DOCUMENT_TOO_LARGE = 'DocumentTooLargeError'

/** The body is one document, of which all records are read at once, and larger than there is memory for. */
export class DocumentTooLargeError extends Error {
  override name = DOCUMENT_TOO_LARGE
  constructor() {
    super(storeText.documentTooLarge())
  }
}

const OPEN_LIST = 0x5b
/** Below this a body cannot have too many records: each takes a bracket and another byte at least. */
const UNCHECKED_BYTES_MAX = 2 * limits.documentRecordsMax

/**
 * A list on one line counts as well. A bundle of a run is left out: its files have limits of their own.
 *
 * @throws DocumentTooLargeError
 */
export function refuseLargeDocument({ kind, bytes, offset }: IngestBody): void {
  if (bytes.length <= UNCHECKED_BYTES_MAX || offset || kind === 'async-pipeline') return
  const { documentBytesMax: bytesMax, documentRecordsMax: recordsMax } = limits
  const document = documentSpans(bytes, recordsMax)
  if (document !== null) {
    if (bytes.length > bytesMax || document.spans.length > recordsMax) throw new DocumentTooLargeError()
    return
  }
  for (const { start, end } of eachLine(bytes)) {
    if (bytes[start] !== OPEN_LIST) return
    const list = elementSpans(bytes.subarray(0, end), start, recordsMax)
    if (list !== null && (end - start > bytesMax || list.spans.length > recordsMax))
      throw new DocumentTooLargeError()
    return
  }
}
