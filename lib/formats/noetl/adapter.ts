import { eventIdOf, eventTypeOf } from './event-row'
import { runIdOf } from './dispatch-handle'
import { isObject, member, parseExactJson, type ExactJson, type ExactObject } from '../../text/exact-json'
import { finish, notAnObject, tooMany, type Envelope, type RecordContent } from '../claude/draft'
import { rangeOf } from '../claude/span'
import { idText } from '../claude/text'
import { capText } from '../../text/cap-text'
import { limits } from '../../limits'
import { digestOfBytes } from '../../bytes/digest'
import { elementSpans, type ByteSpan } from '../../bytes/json-spans'
import { encodeUtf8 } from '../../bytes/kept-bytes'
import type { NormalRecord } from '../../model/normal-form'
import { isCapture, readCapture } from './read-capture'
import { isCommand, readCommand } from './read-command'
import { readDocument } from './read-document'
import { isLogMark, readLogMark } from './read-log-mark'
import { readRow, timeOfRow } from './read-row'
import type { Adapter, LineInput } from '../../model/adapter'

/** The run that rows belong to which do not name one themselves: that of the document around them. */
export interface RowsContext {
  run: string | null
  /** They are what a worker replied, not what the engine made of it. */
  captured?: boolean
}

/**
 * Executions of NoETL as its servers give them, pages of them, bare rows of the event log and of the table of commands, and marks of how far
 * the log was read. A document is a record of its execution, and so is each row in it; their order is that of their ids, whichever
 * way round they stand. Ids are read with all their digits.
 *
 * @see docs/sources/noetl.md
 */
export const noetl: Adapter<RowsContext> = {
  channel: 'rows',

  peek(_value, text) {
    const value = exact(text ?? '')
    return {
      sessionId:
        runOf(value) ??
        rowsIn(value)
          .map(runOf)
          .find((run) => run !== null) ??
        null,
      agentId: null,
    }
  },

  start: () => ({ run: null }),

  read(line, context) {
    const value = exact(line.text)
    context.run = runOf(value)
    if (!isObject(value)) return notAnObject(line, homeOf(line), true)
    context.captured = isCapture(value)
    if (isRow(value) || (context.captured && rowsKeyOf(value) === null))
      return rowRecord(line, value, context)
    if (isCommand(value)) return commandRecord(line, value, context.run)
    const { content, type } = context.captured
      ? capturedDocument()
      : isLogMark(value)
        ? readLogMark(value, line)
        : readDocument(value, line)
    const rows = rowsIn(value).length
    if (rows > limits.recordEventsMax)
      content.odd = tooMany({ what: 'rows', count: rows, max: limits.recordEventsMax })
    if (context.run === null)
      return finish(line, envelopeOf(line, null, type), { ...content, facts: {} }, { wrong: [] }, true)
    const parent = parentOf(value)
    if (parent !== null) content.facts.childOf = { parentKey: parent, callId: null }
    return finish(line, envelopeOf(line, context.run, type), content, { wrong: [] }, false)
  },

  within(line, context) {
    const document = exact(line.text)
    const key = rowsKeyOf(document)
    if (key === null || rowsIn(document).length > limits.recordEventsMax) return []
    const bytes = encodeUtf8(line.text)
    const held = rowSpans(line.text, bytes, key).map((span) => {
      const text = decoder.decode(bytes.subarray(span.start, span.end))
      return { span, text, value: exact(text) }
    })
    const rank = ranksOf(held.map(({ value }) => value))
    const records = held.map(({ span, text, value }, i): NormalRecord => {
      const row: LineInput = {
        value,
        text,
        offset: line.offset + 1 + rank[i]!,
        length: span.end - span.start,
        keptStart: line.keptStart + span.start,
        keptEnd: line.keptStart + span.end,
        digest: digestOfBytes(bytes.subarray(span.start, span.end)),
      }
      const { run } = context
      return {
        ...(isObject(value)
          ? rowRecord(row, value, context)
          : notAnObject(row, run ?? homeOf(row), run === null)),
        within: true,
      }
    })
    return records.sort((a, b) => a.offset - b.offset)
  },
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function exact(text: string): ExactJson {
  const read = parseExactJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  return read.ok ? read.value : null
}

const idOf = (value: ExactJson | undefined, key: string): string | null => {
  const id = runIdOf({ execution_id: member(value, key) ?? null })
  return id === null ? null : idText(id.trim())
}

const runOf = (value: ExactJson): string | null => idOf(value, 'execution_id')
const parentOf = (value: ExactJson): string | null => idOf(value, 'parent_execution_id')
const homeOf = (line: LineInput): string => `no-run-${line.digest.slice(0, 16)}`

const isRow = (value: ExactObject): boolean => eventTypeOf(value) !== ''

/** Under which key a document contains its rows; the endpoint of queries has another than those of executions. */
function rowsKeyOf(value: ExactJson): 'events' | 'result' | null {
  if (!isObject(value) || isRow(value) || isCommand(value) || isLogMark(value)) return null
  return (['events', 'result'] as const).find((key) => Array.isArray(member(value, key))) ?? null
}

function rowsIn(value: ExactJson): ExactJson[] {
  const key = rowsKeyOf(value)
  return key === null ? [] : (member(value, key) as ExactJson[])
}

function rowSpans(text: string, bytes: Uint8Array, key: string): ByteSpan[] {
  const range = rangeOf(text, [key])
  return range === null
    ? []
    : (elementSpans(bytes, encodeUtf8(text.slice(0, range.start)).length)?.spans ?? [])
}

/** The place of each row in the order of the ids; rows without one come last, as they are. */
function ranksOf(rows: readonly ExactJson[]): number[] {
  const ids = rows.map(eventIdOf)
  const order = rows
    .map((_, i) => i)
    .sort((a, b) => {
      const [left, right] = [ids[a]!, ids[b]!]
      if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b
      return left < right ? -1 : left > right ? 1 : a - b
    })
  const rank: number[] = []
  for (const [place, row] of order.entries()) rank[row] = place
  return rank
}

/** A row of the table of commands. Two states of one are two records: their bytes distinguish them. */
function commandRecord(line: LineInput, row: ExactObject, run: string | null): NormalRecord {
  const content = readCommand(row)
  const at = timeOfRow(row)
  if (run === null) content.facts = {}
  return finish(line, envelopeOf(line, run, 'command', at), content, { wrong: [] }, run === null)
}

const envelopeOf = (
  line: LineInput,
  run: string | null,
  type: string,
  at: string | null = null,
): Envelope => ({
  executionKey: run ?? homeOf(line),
  type,
  at,
  uuid: null,
  parentUuid: null,
  homeless: run === null,
})

/** The document around what was captured of a run. */
const capturedDocument = (): { content: RecordContent; type: string } => ({
  content: { kind: 'meta', summary: { id: 'worker_rows', params: {} }, facts: {} },
  type: 'worker.capture',
})

function rowRecord(line: LineInput, row: ExactObject, { run: around, captured }: RowsContext): NormalRecord {
  const run = runOf(row) ?? around
  const ofWorker = captured === true || isCapture(row)
  const content = ofWorker ? readCapture(row, line) : readRow(row, line)
  const parent = parentOf(row)
  if (parent !== null && run !== null) content.facts.childOf = { parentKey: parent, callId: null }
  const { eventId = null, type = ofWorker ? 'worker.reply' : '' } = content.facts.row ?? {}
  const envelope = envelopeOf(line, run, capText(type, 120), timeOfRow(row))
  if (run !== null && eventId !== null) envelope.uuid = idText(`${run}:${eventId}`)
  if (run === null) content.facts = {}
  return finish(line, envelope, content, { wrong: [] }, run === null)
}
