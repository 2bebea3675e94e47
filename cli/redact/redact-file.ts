import { readFile } from 'node:fs/promises'
import { documentSpans } from '@/lib/bytes/json-spans'
import { splitBody } from '@/lib/bytes/record-spans'
import { adapterOf } from '@/lib/formats/adapters'
import { detectFormat } from '@/lib/formats/detect'
import { parsePart } from '@/lib/formats/parse-part'
import { peekPart } from '@/lib/formats/peek-part'
import { limits } from '@/lib/limits'

export interface Redacted {
  bytes: Buffer
  /** Places where something was taken out. */
  secrets: number
}

const headBytes = 64 * 1024

/**
 * The bytes of a file as a server would keep them: without secrets, email addresses and account headers.
 *
 * @returns why not, for a file of a format that has no reader: nobody could say what is a secret in it
 */
export async function redactFile(path: string): Promise<Redacted | { because: string }> {
  const bytes = await readFile(path)
  const detection = detectFormat({ head: bytes.subarray(0, headBytes), fileName: path })
  if (detection.status !== 'supported') return { because: detection.status }
  const adapter = adapterOf(detection.kind)
  const document = documentSpans(bytes)
  const { sessionId, agentId } = await peekPart(detection.kind, bytes, path, document)
  let context = adapter.start({ fileName: path, sessionId, agentId })
  const kept: Uint8Array[] = []
  let secrets = 0
  const parts = [...splitBody(bytes, limits.partBytesTarget, limits.partLinesMax, document)]
  for (const [number, { start, end }] of parts.entries()) {
    const part = await parsePart({
      adapter,
      bytes: bytes.subarray(start, end),
      offset: start,
      context,
      redact: true,
      document: start === 0 ? document : null,
      final: number === parts.length - 1,
    })
    context = part.context
    kept.push(part.kept)
    secrets += part.marks.length
  }
  return { bytes: Buffer.concat(kept), secrets }
}
