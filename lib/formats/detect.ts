import type { DetectionReason, KnownFile } from '../model/messages/detection'
import { parse } from 'jsonc-parser'
import { readLogPath } from './autoskillit/layout'
import { classifyRecord, type Verdict } from './detect-record'
import { elementSpans } from '../bytes/json-spans'
import { eachLine, glimpse, isBlank } from '../bytes/lines'
import { looksBinary } from '../bytes/record-spans'

export type Detection = Verdict | { status: 'unknown' | 'empty' | 'binary'; why: DetectionReason }

export interface DetectInput {
  /** The first bytes of a file or body; 64 KiB are plenty, and it may end anywhere. */
  head: Uint8Array
  fileName?: string | null
}

const RECORDS_MAX = 200
/** How files begin that are known and not read. */
const MARKS: [file: KnownFile, start: string][] = [
  ['sqlite', 'SQLite format 3\0'],
  ['gzip', '\x1f\x8b'],
  ['zip', 'PK\x03\x04'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['xz', '\xfd7zXZ'],
  ['bzip2', 'BZh'],
]

/**
 * Says what a file is from its head: a format that is taken in, one that is known by name but not taken in yet, or neither, and why.
 * What the records say decides; the name only helps where they say nothing.
 */
export function detectFormat({ head, fileName }: DetectInput): Detection {
  if (isBlank(head, 0, head.length))
    return { status: 'empty', why: { id: head.length === 0 ? 'empty' : 'blank', params: {} } }
  for (const [file, start] of MARKS)
    if (startsWith(head, start)) return { status: 'recognised', why: { id: 'known_file', params: { file } } }
  const log = readLogPath(fileName)
  // A text says nothing about its format, so its name decides.
  if (log.file === 'crash' && !looksBinary(head)) return { status: 'supported', kind: 'autoskillit' }
  let firstKeys: string[] | null = null
  for (const record of recordsOf(head)) {
    const verdict = classifyRecord(record, fileName ?? null)
    if (verdict !== null) return verdict
    firstKeys ??= Object.keys(record)
  }
  if (looksBinary(head)) return { status: 'binary', why: { id: 'not_text', params: {} } }
  if ((firstKeys ?? []).length === 0 && log.file !== null && log.dir !== null)
    return { status: 'supported', kind: 'autoskillit' }
  if (firstKeys === null)
    return {
      status: 'unknown',
      why: { id: 'no_json', params: { start: glimpse(head, 0, head.length) } },
    }
  return {
    status: 'unknown',
    why: { id: 'unknown_keys', params: { keys: firstKeys.slice(0, 6) } },
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false
  return true
}

/** Objects among the first records, whether they are in lines, in a list or in one document; what is cut is read as far as it goes. */
function* recordsOf(head: Uint8Array): Generator<Record<string, unknown>, void, undefined> {
  let left = RECORDS_MAX
  const decoder = new TextDecoder()
  for (const line of eachLine(head)) {
    if (left-- === 0) return
    let value: unknown
    try {
      value = JSON.parse(decoder.decode(head.subarray(line.start, line.end)))
    } catch {
      // The first line of a document, or a line that the head cuts; anything else is the noise of a wrapper.
      if (left === RECORDS_MAX - 1) yield* documentRecords(head, line.start, decoder)
      else if (!line.ended) yield* objectsIn(parseTolerant(decoder.decode(head.subarray(line.start))))
      continue
    }
    yield* objectsIn(value)
  }
}

function* documentRecords(
  head: Uint8Array,
  start: number,
  decoder: TextDecoder,
): Generator<Record<string, unknown>, void, undefined> {
  if (head[start] === 0x7b) yield* objectsIn(parseTolerant(decoder.decode(head.subarray(start))))
  if (head[start] !== 0x5b) return
  const list = elementSpans(head, start)
  for (const span of list?.spans.slice(0, RECORDS_MAX) ?? [])
    yield* objectsIn(parseTolerant(decoder.decode(head.subarray(span.start, span.end))))
  if (list !== null && list.end === -1)
    yield* objectsIn(parseTolerant(decoder.decode(head.subarray(list.tornAt))))
}

/** Reads cut JSON as far as it goes. The parser recurses, so that absurd nesting overflows its stack: such a text tells nothing. */
function parseTolerant(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function* objectsIn(value: unknown): Generator<Record<string, unknown>, void, undefined> {
  for (const one of Array.isArray(value) ? value.slice(0, RECORDS_MAX) : [value]) {
    if (typeof one === 'object' && one !== null && !Array.isArray(one)) yield one as Record<string, unknown>
  }
}
