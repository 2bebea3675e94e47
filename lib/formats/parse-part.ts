import type { OddDetail } from '../model/messages/odd-details'
import { limits } from '../limits'
import { digestOfBytes } from '../bytes/digest'
import { hasMoreValues, isClosed, isTooDeep } from '../text/json-depth'
import type { DocumentSpans } from '../bytes/json-spans'
import { byteMarks, KeptBytes } from '../bytes/kept-bytes'
import { readLineText } from '../bytes/line-text'
import { isBlank } from '../bytes/lines'
import type { NormalRecord, OddReason, ParsedPart } from '../model/normal-form'
import { isBinaryPart, recordSpans, type RecordSpan } from '../bytes/record-spans'
import { redactWith } from '../text/redaction/redact'
import type { Finding } from '../text/redaction/finding'
import { mayHoldSecret } from '../text/redaction/prefilter'
import { loadRules, type FindSecrets } from '../text/redaction/rules'
import { ownCopy } from '../text/own-copy'
import { findUnstorableId, storableDeep } from './storable'
import type { Adapter, LineInput } from '../model/adapter'

export interface PartInput<Context> {
  adapter: Pick<Adapter<Context>, 'read' | 'within' | 'isText' | 'hide' | 'isExact'>
  /** The part: whole lines, but for the last line of a stream that may still be written. */
  bytes: Uint8Array
  /** Where the part begins in its stream. */
  offset: number
  /** From the part before, or the adapter's `start`; it is not changed. */
  context: Context
  redact: boolean
  /** Tag by which failure signals are looked for; unset: the default one. */
  failureTag?: string
  /** What `documentSpans` says of the part, where that is known. */
  document?: DocumentSpans | null
  /** No more bytes are coming now: a torn last line is taken as odd, and read again when the stream has grown. */
  final: boolean
}

/** A line out of which something was taken: where it is in the kept bytes, and what the original was. */
export interface ChangedLine
  extends Pick<LineInput, 'keptStart' | 'keptEnd' | 'offset' | 'length' | 'digest'> {}

export interface ReadPart<Context> extends ParsedPart<Context> {
  /** In their order. */
  changed: ChangedLine[]
}

/**
 * Turns a part of a stream into what is kept of it and its records, one for each line (or element of a document). Never throws,
 * whatever the bytes: what cannot be understood becomes an odd record with its bytes. `nextOffset` stays at the start of a torn
 * last line; without `final` such a line is left out altogether.
 */
export async function parsePart<Context>(input: PartInput<Context>): Promise<ReadPart<Context>> {
  const { bytes, offset } = input
  const context = structuredClone(input.context)
  const kept = new KeptBytes(bytes)
  const records: NormalRecord[] = []
  const reader = new RecordReader(
    { ...input, context },
    kept,
    input.redact ? await loadRules() : null,
    input.redact ? (input.adapter.hide?.(bytes) ?? null) : null,
  )
  const streamStart = offset === 0
  let nextOffset = offset + bytes.length
  const binary = isBinaryPart(bytes, streamStart)
  const isText = !binary && (input.adapter.isText?.(context) ?? false)
  for (const span of binary || isText
    ? wholeOf(bytes)
    : recordSpans(bytes, streamStart, streamStart ? input.document : null)) {
    const { read, torn } = reader.read(span, binary ? 'binary' : isText ? 'text' : 'json')
    if (torn) {
      nextOffset = span.torn ? offset : offset + span.start
      // The elements of a torn list can only be found again from its beginning: nothing of it is taken yet.
      if (span.torn && !input.final)
        return {
          kept: bytes.subarray(0, 0),
          marks: [],
          records: [],
          changed: [],
          context: structuredClone(input.context),
          nextOffset,
        }
    }
    // One by one: a document may contain more records than a call may have arguments.
    for (const record of read) records.push(record)
  }
  kept.keepUntil(input.final ? bytes.length : nextOffset - offset)
  return { kept: kept.finish(), marks: kept.marks, records, changed: reader.changed, context, nextOffset }
}

/** A part that is one record, unless there is nothing in it. */
const wholeOf = (bytes: Uint8Array): RecordSpan[] =>
  isBlank(bytes, 0, bytes.length) ? [] : [{ start: 0, end: bytes.length, open: false, torn: false }]

const SURROGATE = /[\ud800-\udfff]/

/** What is odd about a line, found before the adapter sees it. */
interface Odd {
  reason: OddReason
  detail: OddDetail
}

class RecordReader<Context> {
  readonly changed: ChangedLine[] = []
  /**
   * A line held an escape, or a pair of which half could be cut off: from then on texts may be such as cannot be stored, those that the
   * context remembers too. So may be what the context begins with, which is made of the file's name as well.
   */
  private suspicious: boolean

  constructor(
    private readonly input: PartInput<Context>,
    private readonly kept: KeptBytes,
    /** Null: nothing is taken out. */
    private readonly findSecrets: FindSecrets | null,
    /** What the part itself gives away. */
    private readonly hide: ((text: string) => Finding[]) | null,
  ) {
    this.suspicious = storableDeep(input.context) !== input.context
  }

  read(span: RecordSpan, as: 'json' | 'text' | 'binary'): { read: NormalRecord[]; torn: boolean } {
    const { bytes, final } = this.input
    const original = bytes.subarray(span.start, span.end)
    const line = readLineText(original)
    const look = (text: string): Understood => {
      if (as === 'binary') return binaryPart(original.length)
      return as === 'text' ? plainText(text, line.isUtf8) : understand(text, line.isUtf8, original.length)
    }
    // A line that has its end is read once, after redaction.
    const early = span.open ? look(line.text) : null
    const torn = span.torn || (early !== null && !isWhole(early, line.text))
    if (torn && (!final || isBlank(original, 0, original.length))) return { read: [], torn }
    const keptStart = this.kept.keepUntil(span.start)
    const redacted =
      this.findSecrets !== null && (this.hide !== null || mayHoldSecret(line.text))
        ? redactWith(this.findSecrets, line.text, this.hide, this.input.adapter.isExact)
        : null
    const changed = redacted !== null && redacted.marks.length > 0
    const keptEnd = changed
      ? this.kept.replaceUntil(
          span.end,
          line.encode(redacted.text),
          byteMarks(redacted.text, redacted.marks, line.encode),
        )
      : this.kept.keepUntil(span.end)
    const text = changed ? redacted.text : line.text
    const position = { offset: this.input.offset + span.start, length: original.length, keptStart, keptEnd }
    if (changed) this.changed.push({ ...position, digest: digestOfBytes(original) })
    const at = new ReadLine(text, position, original)
    // What changed is read again: a message about what was found must not quote what was taken out.
    const found = early === null || changed ? look(text) : early
    if (torn && found.odd?.reason !== 'line_too_long')
      return {
        read: [this.odd(at, { reason: 'torn_line', detail: { id: 'torn_line', params: {} } })],
        torn,
      }
    if (found.odd !== undefined) return { read: [this.odd(at, found.odd)], torn }
    at.value = found.value
    at.failureTag = this.input.failureTag
    this.suspicious ||= as === 'text' || text.includes('\\u') || SURROGATE.test(text)
    return { read: this.adapt(at), torn }
  }

  private adapt(line: ReadLine): NormalRecord[] {
    const { adapter, context } = this.input
    try {
      const read = [adapter.read(line, context), ...(adapter.within?.(line, context) ?? [])]
      return this.suspicious ? read.map(storableRecord) : read
    } catch (error) {
      return [
        this.odd(line, {
          reason: 'wrong_type',
          detail: { id: 'not_readable', params: { error: oneLine(messageOf(error)) } },
        }),
      ]
    }
  }

  /** An odd record belongs to the execution that the adapter would give a line without an object. */
  private odd(line: ReadLine, odd: Odd): NormalRecord {
    let home: Pick<NormalRecord, 'executionKey' | 'homeless'> = {
      executionKey: `no-session-${line.digest.slice(0, 16)}`,
    }
    try {
      home = this.input.adapter.read(
        new ReadLine('null', line, line.original, line.digest),
        this.input.context,
      )
    } catch {
      // The adapter is at fault; the record still gets a home of its own.
    }
    const { offset, length, keptStart, keptEnd } = line
    return storableDeep<NormalRecord>({
      offset,
      length,
      keptStart,
      keptEnd,
      identity: line.digest,
      executionKey: home.executionKey,
      ...(home.homeless && { homeless: true }),
      type: '',
      kind: 'odd',
      at: null,
      parentUuid: null,
      summary:
        odd.detail.id === 'binary' || odd.detail.id === 'nul_bytes'
          ? odd.detail
          : oneLine(
              odd.reason === 'invalid_utf8' ? line.text.replace(/[\uf780-\uf7ff]+/g, '\ufffd') : line.text,
            ),
      oddReason: odd.reason,
      oddDetail: odd.detail,
      facts: {},
    })
  }
}

/** A line on its way to the adapter. The digest is worked out when it is asked for: most records name themselves. */
class ReadLine implements LineInput {
  value: unknown = null
  failureTag?: string = undefined
  readonly offset: number
  readonly length: number
  readonly keptStart: number
  readonly keptEnd: number

  constructor(
    readonly text: string,
    at: Pick<LineInput, 'offset' | 'length' | 'keptStart' | 'keptEnd'>,
    readonly original: Uint8Array,
    private known: string | null = null,
  ) {
    this.offset = at.offset
    this.length = at.length
    this.keptStart = at.keptStart
    this.keptEnd = at.keptEnd
  }

  get digest(): string {
    return (this.known ??= digestOfBytes(this.original))
  }
}

/** As it can be stored; one that loses part of an id by that is odd, because nobody finds it by the id that its producer knows. */
function storableRecord(record: NormalRecord): NormalRecord {
  const stored = storableDeep(record)
  if (stored === record || record.oddReason !== undefined) return stored
  const id = findUnstorableId(record)
  return id === null
    ? stored
    : {
        ...stored,
        oddReason: 'unstorable_id',
        oddDetail: { id: 'unstorable_id', params: { field: id } },
      }
}

const binaryPart = (bytes: number): Understood => ({
  odd: { reason: 'binary', detail: { id: 'binary', params: { bytes } } },
})

const plainText = (text: string, isUtf8: boolean): Understood => (isUtf8 ? { value: text } : notUtf8)

type Understood = { odd: Odd; value?: undefined } | { odd?: undefined; value: unknown }

const notUtf8: Understood = {
  odd: { reason: 'invalid_utf8', detail: { id: 'not_utf8', params: {} } },
}

function understand(text: string, isUtf8: boolean, bytes: number): Understood {
  if (bytes > limits.lineBytesMax)
    return {
      odd: {
        reason: 'line_too_long',
        detail: { id: 'line_too_long', params: { bytes, max: limits.lineBytesMax } },
      },
    }
  if (!isUtf8) return notUtf8
  if (isTooDeep(text, limits.jsonDepthMax))
    return { odd: { reason: 'too_deep', detail: { id: 'too_deep', params: { max: limits.jsonDepthMax } } } }
  if (hasMoreValues(text, limits.recordValuesMax)) {
    const detail: OddDetail = { id: 'too_many_values', params: { max: limits.recordValuesMax } }
    return { odd: { reason: 'too_many_values', detail } }
  }
  const parsed = parseJson(text)
  if (parsed.error === null) return { value: parsed.value }
  return {
    odd: text.includes('\0')
      ? { reason: 'binary', detail: { id: 'nul_bytes', params: {} } }
      : { reason: 'not_json', detail: { id: 'not_json', params: { error: oneLine(parsed.error) } } },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function parseJson(text: string): { value: unknown; error: string | null } {
  try {
    return { value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text), error: null }
  } catch (error) {
    return { value: undefined, error: messageOf(error) }
  }
}

/** Only an object or a list is certainly whole without a line end: `12` may become `123`. */
function isWhole(found: Understood, text: string): boolean {
  if (found.odd?.reason === 'too_many_values') return isClosed(text)
  if (found.odd !== undefined) return found.odd.reason === 'too_deep' && parseJson(text).error === null
  return typeof found.value === 'object' && found.value !== null
}

const oneLine = (text: string, max = 200): string => {
  const line = ownCopy(text.slice(0, max * 4))
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}
