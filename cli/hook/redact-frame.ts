import { isUtf8 } from 'node:buffer'
import { mayHoldSecret } from '@/lib/text/redaction/prefilter'

/**
 * Takes secrets and mail addresses out before anything is written to disk. Most frames hold nothing that could be one,
 * and for them the rules are not even loaded.
 */
export async function redactFrame(bytes: Buffer): Promise<Buffer> {
  // Bytes that are not UTF-8 are read one by one, so that they come out as they went in.
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  if (!mayHoldSecret(text)) return bytes
  const { redactLine } = await import('@/lib/text/redaction/redact')
  const redacted = await redactLine(text)
  return redacted.marks.length === 0 ? bytes : Buffer.from(redacted.text, encoding)
}
