import { KeptBytes } from '@/lib/bytes/kept-bytes'
import { readLineText } from '@/lib/bytes/line-text'
import { eachLine } from '@/lib/bytes/lines'
import { redactLine } from '@/lib/text/redaction/redact'
import { mayHoldSecret } from '@/lib/text/redaction/prefilter'
import type { Tx } from '../client'
import { keepBytes } from '../received-bytes'
import { sha256 } from '../sha256'

/**
 * Keeps the transcript of a fix among the received bytes, with secrets taken out as they are of every record.
 *
 * @returns digest of the kept bytes
 */
export async function keepTranscript(
  tx: Tx,
  projectId: string,
  bytes: Uint8Array,
  redact: boolean,
): Promise<string> {
  const kept = redact ? await redacted(bytes) : bytes
  const digest = sha256(kept)
  await keepBytes(tx, projectId, [{ sha256: digest, bytes: kept }])
  return digest
}

async function redacted(bytes: Uint8Array): Promise<Uint8Array> {
  const kept = new KeptBytes(bytes)
  // Marks are for records; here it is enough that something was taken out, which makes the copy.
  const mark = { rule: 'transcript', byteStart: 0, byteEnd: 0 }
  for (const { start, end } of eachLine(bytes)) {
    const line = readLineText(bytes.subarray(start, end))
    if (!mayHoldSecret(line.text)) continue
    const { text, marks } = await redactLine(line.text)
    kept.keepUntil(start)
    if (marks.length > 0) kept.replaceUntil(end, line.encode(text), [mark])
  }
  kept.keepUntil(bytes.length)
  return kept.finish()
}
