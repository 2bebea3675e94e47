import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { isBlank, standsAlone } from '@/lib/judge/decisions/python-text'
import { claudeStream } from '@/lib/formats/claude/claude-stream'
import { readResultRecord } from '@/lib/formats/claude/result-record'
import { asObject } from '@/lib/formats/claude/wire'
import { detectFormat } from '@/lib/formats/detect'
import { documentSpans } from '@/lib/bytes/json-spans'
import { beginsLikeJson } from '@/lib/bytes/lines'
import { recordSpans } from '@/lib/bytes/record-spans'
import { limits } from '@/lib/limits'
import { findPart } from '../import/parts'
import { readAt } from '../import/read-at'
import type { RecordStart } from './record-folder'
import type { RunResultFact } from '@/lib/model/run-facts'

/** What the whole standard output of a run says. */
export interface StdoutFacts {
  bytes: number
  sha256: string
  /** The endpoint that it can be sent to. */
  kind: 'claude-stream' | null
  /** It is one JSON document, not lines. */
  whole: boolean
  /** That of the last result record, else the first that is named. */
  sessionId: string | null
  /** The last result record. */
  result: RunResultFact | null
  /** Some result record had a text that is not blank and, with a marker, the marker alone on a line of it. */
  channelA: boolean
}

const headBytes = 64 * 1024
const bufferBytes = 256 * 1024

/** A document that is larger is not read here. */
const documentBytesMax = 64 * 1024 * 1024

/**
 * Reads a kept output once, from disk, in parts of whole lines: memory does not grow with it.
 *
 * @param contract what the run was asked to print
 * @param onPart hears every part in order, for what reads the output in its own way
 */
export async function readStdout(
  path: string,
  contract: RecordStart['contract'],
  onPart: (bytes: Uint8Array) => void = () => {},
): Promise<StdoutFacts> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.allocUnsafe(bufferBytes)
    const head = await readAt(file, 0, Math.min(headBytes, size))
    const whole = documentSpans(head) !== null
    const hash = createHash('sha256')
    const reader = new RecordReader(contract)
    for (let start = 0; start < size; ) {
      const part = whole
        ? { start, end: size }
        : await findPart(file, start, size, { target: limits.partBytesTarget, takeTorn: true, buffer })
      const end = part?.end ?? size
      if (end - start > (whole ? documentBytesMax : limits.lineBytesMax)) {
        for await (const bytes of pieces(file, start, end, buffer)) {
          hash.update(bytes)
          onPart(bytes)
        }
      } else {
        const bytes = await readAt(file, start, end - start)
        hash.update(bytes)
        onPart(bytes)
        reader.read(bytes, start === 0)
      }
      start = end
    }
    const found = detectFormat({ head })
    // Noise that fills the whole head hides a run that is there all the same.
    const isStream =
      found.status === 'supported'
        ? found.kind === 'claude-stream'
        : found.status === 'unknown' && reader.result !== null
    return {
      bytes: size,
      sha256: hash.digest('hex'),
      kind: isStream ? 'claude-stream' : null,
      whole,
      sessionId: isStream ? reader.sessionId : null,
      result: reader.result,
      channelA: reader.channelA,
    }
  } finally {
    await file.close()
  }
}

/** Lines that look like records and are read in search of a session before the search is given up. */
const searchMax = 1_000

class RecordReader {
  result: RunResultFact | null = null
  sessionId: string | null = null
  channelA = false
  private searched = 0

  constructor(private readonly contract: RecordStart['contract']) {}

  read(bytes: Uint8Array, streamStart: boolean): void {
    for (const { start, end } of recordSpans(bytes, streamStart)) {
      if (!beginsLikeJson(bytes, start, end)) continue
      const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
      const seeks = this.sessionId === null && this.searched < searchMax
      // Most lines are neither the result nor needed for the session, and need not be parsed.
      if (!seeks && !line.includes('"result"')) continue
      const text = line.toString('utf8')
      this.searched += 1
      const record = asObject(parse(text))
      if (record === null) continue
      const { sessionId } = claudeStream.peek(record)
      this.sessionId ??= sessionId
      if (record['type'] !== 'result') continue
      if (sessionId !== null) this.sessionId = sessionId
      const line0 = {
        value: record,
        text,
        offset: 0,
        length: 0,
        keptStart: 0,
        keptEnd: 0,
        digest: '',
        failureTag: this.contract.failureTag,
      }
      this.result = readResultRecord(record, line0, { wrong: [] })
      this.channelA ||= confirms(record['result'], this.contract.marker)
    }
  }
}

/** Channel A as the source's own poller sees it (content-state §1). */
function confirms(result: unknown, marker: string): boolean {
  if (typeof result !== 'string' || isBlank(result)) return false
  return marker === '' || standsAlone(result, marker)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A range of a file, buffer by buffer. */
async function* pieces(
  file: FileHandle,
  start: number,
  end: number,
  buffer: Buffer,
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = start; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
