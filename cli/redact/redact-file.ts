import { readFile } from 'node:fs/promises'
import { isListOfRecords } from '@/lib/bytes/list-of-records'
import { detectFormat } from '@/lib/formats/detect'
import { parseFile } from '@/lib/formats/parse-file'

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
  // Nothing in it could be a secret.
  if (isListOfRecords(bytes) === 'empty') return { bytes, secrets: 0 }
  if (detection.status !== 'supported') return { because: detection.status }
  const kept: Uint8Array[] = []
  let secrets = 0
  for await (const part of parseFile(detection.kind, bytes, path)) {
    kept.push(part.kept)
    secrets += part.marks.length
  }
  return { bytes: Buffer.concat(kept), secrets }
}
