import { documentSpans } from '../bytes/json-spans'
import { splitBody } from '../bytes/record-spans'
import { limits } from '../limits'
import type { IngestKind } from '../model/ingest-kinds'
import { adapterOf } from './adapters'
import { parsePart, type ReadPart } from './parse-part'
import { peekPart } from './peek-part'

/**
 * Reads a whole file in parts, redacted, as a server reads a body of it.
 *
 * @param fileName path below the root of its producer; null: it has none
 * @param failureTag by which failure signals are looked for; unset: the default one
 */
export async function* parseFile(
  kind: IngestKind,
  bytes: Uint8Array,
  fileName: string | null,
  failureTag?: string,
): AsyncGenerator<ReadPart<unknown>> {
  const adapter = adapterOf(kind)
  const document = documentSpans(bytes)
  const { sessionId, agentId } = await peekPart(kind, bytes, fileName, document)
  let context = adapter.start({ fileName, sessionId, agentId })
  const parts = [...splitBody(bytes, limits.partBytesTarget, limits.partLinesMax, document)]
  for (const [number, { start, end }] of parts.entries()) {
    const part = await parsePart({
      adapter,
      bytes: bytes.subarray(start, end),
      offset: start,
      context,
      redact: true,
      failureTag,
      document: start === 0 ? document : null,
      final: number === parts.length - 1,
    })
    context = part.context
    yield part
  }
}
