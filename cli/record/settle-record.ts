import { isUtf8 } from 'node:buffer'
import { renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { mayHoldSecret } from '@/lib/text/redaction/prefilter'
import { redactFrame } from '../hook/redact-frame'
import type { SendPlan } from './prepare-record'
import { holds, sizeOf } from './record-files'
import { recordFiles } from './record-folder'
import type { RecordEnd } from './write-document'

/** A line that is longer is redacted in pieces, which end at a blank when there is one near. */
const lineBytesMax = 16 * 1024 * 1024
const readBytes = 1024 * 1024
const LINE_FEED = 0x0a

/**
 * Leaves a record behind as what can be sent later and nothing more: secrets and mail addresses are taken out of its document and of the
 * output that goes with it, and the files they were made of are removed.
 */
export async function settleRecord(folder: string, { sendsStdout }: SendPlan): Promise<void> {
  if (!holds(folder, 'head')) return
  const document = join(folder, recordFiles.document)
  await redactFile(document)
  if (sendsStdout) await redactFile(join(folder, recordFiles.stdout))
  await noteSentBytes(document, sendsStdout ? sizeOf(folder, 'stdout') : null)
  // The head last: without it all of this was done.
  for (const file of ['stderr', 'times', ...(sendsStdout ? [] : (['stdout'] as const)), 'head'] as const)
    rmSync(join(folder, recordFiles[file]), { force: true })
}

/** Redacts a file line by line, whole or not at all. */
async function redactFile(path: string): Promise<void> {
  const draft = `${path}.draft`
  const file = await open(path)
  try {
    const out = await open(draft, 'w', 0o600)
    try {
      for await (const lines of wholeLines(file)) await out.writeFile(await redactLines(lines))
    } finally {
      await out.close()
    }
  } finally {
    await file.close()
  }
  renameSync(draft, path)
}

/**
 * Says in the last line of a document how long the output is now, when that is not what was printed: else nobody could tell whether all of it came.
 *
 * @param bytes of the output that goes with the document; `null`: it is in it
 */
async function noteSentBytes(document: string, bytes: number | null): Promise<void> {
  const file = await open(document, 'r+')
  try {
    let inDocument = 0
    let end: RecordEnd | null = null
    let endBytes = 0
    for await (const lines of wholeLines(file)) {
      for (const line of lines.toString('utf8').split('\n')) {
        if (line.startsWith('{"type":"record.output","channel":"stdout"'))
          inDocument += pieceBytes(JSON.parse(line))
        if (!line.startsWith('{"type":"record.end"')) continue
        end = JSON.parse(line)
        endBytes = Buffer.byteLength(line) + 1
      }
    }
    const sent = bytes ?? inDocument
    // Without a digest not all of it was kept, and its length tells nothing.
    if (end === null || end.stdoutSha256 === null || sent === end.stdoutBytes) return
    const { size } = await file.stat()
    await file.write(`${JSON.stringify({ ...end, stdoutSentBytes: sent })}\n`, size - endBytes)
  } finally {
    await file.close()
  }
}

const pieceBytes = ({ text, base64 }: { text?: string; base64?: string }): number =>
  Buffer.byteLength(text ?? base64 ?? '', text === undefined ? 'base64' : 'utf8')

async function redactLines(bytes: Buffer): Promise<Buffer> {
  // Nearly nothing holds what could be a secret: then the lines need not be looked at one by one.
  if (isUtf8(bytes) && !mayHoldSecret(bytes.toString('utf8'))) return bytes
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const end = feed === -1 ? bytes.length : feed + 1
    lines.push(await redactFrame(bytes.subarray(start, end)))
    start = end
  }
  return Buffer.concat(lines)
}

/** A file in stretches of whole lines; a line that is too long is cut. */
async function* wholeLines(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer = Buffer.alloc(0)
  for (;;) {
    const chunk = Buffer.allocUnsafe(readBytes)
    const { bytesRead } = await file.read(chunk, 0, readBytes)
    if (bytesRead === 0) break
    held =
      held.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([held, chunk.subarray(0, bytesRead)])
    const feed = held.lastIndexOf(LINE_FEED)
    const end = feed !== -1 ? feed + 1 : held.length > lineBytesMax ? placeToCut(held) : 0
    if (end > 0) yield held.subarray(0, end)
    held = held.subarray(end)
  }
  if (held.length > 0) yield held
}

/** Behind a blank or a quote near the end, where no secret is cut in two. */
function placeToCut(bytes: Buffer): number {
  for (let at = bytes.length - 1; at > bytes.length - 4_096; at--)
    if (bytes[at] === 0x20 || bytes[at] === 0x22) return at + 1
  return bytes.length
}
