import type { EventSummary } from '../../model/messages/event-summaries'
import type { OddDetail, OddDetails } from '../../model/messages/odd-details'
import type { EventKind, NormalRecord, OddReason } from '../../model/normal-form'
import { capText, cutText } from '../../text/cap-text'
import { listLine } from '../../text/list-line'
import type { Notes } from './wire'
import type { EventFacts } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

/** What a record contains: its kind, its line in lists, the facts, and what is odd about it. */
export interface RecordContent {
  kind: EventKind
  summary: EventSummary | string
  facts: EventFacts
  odd?: { reason: OddReason; detail: OddDetail }
}

/** What is odd about a record with more events than are read of one. */
export const tooMany = (params: OddDetails['too_many_events']): NonNullable<RecordContent['odd']> => ({
  reason: 'too_many_events',
  detail: { id: 'too_many_events', params },
})

/** A record of a type that this format does not know: kept under its own name, and flagged. */
export const unknownType = (type: string, summary: EventSummary | string = type): RecordContent => ({
  kind: 'meta',
  summary,
  facts: {},
  odd: { reason: 'unknown_type', detail: { id: 'unknown_type', params: { type: capText(type, 120) } } },
})

/** A record that does not say what it is. */
export const untyped = (line: LineInput): RecordContent => ({
  kind: 'odd',
  summary: cutText(line.text, 400),
  facts: {},
  odd: { reason: 'unknown_type', detail: { id: 'no_type', params: {} } },
})

/** More than a line in a list shows of any text. */
const PARAM_CHARS_MAX = 400

/** The same message with texts no longer than a line can show. */
const shortened = <T>(value: T): T =>
  (typeof value === 'string'
    ? capText(value, PARAM_CHARS_MAX)
    : typeof value !== 'object' || value === null
      ? value
      : Array.isArray(value)
        ? value.map(shortened)
        : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))) as T

/** What is known of a record besides its content. */
export interface Envelope {
  executionKey: string
  type: string
  at: string | null
  uuid: string | null
  parentUuid: string | null
  homeless?: boolean
}

/** Puts the normal form together. A stated oddity beats too many events, which beat wrong types, which beat a missing session. */
export function finish(
  line: LineInput,
  envelope: Envelope,
  content: RecordContent,
  notes: Notes,
  missingSession: boolean,
): NormalRecord {
  // Written out and assigned, not spread: this runs for every record, and spreading cost more than all the rest of it.
  const record: NormalRecord = {
    offset: line.offset,
    length: line.length,
    keptStart: line.keptStart,
    keptEnd: line.keptEnd,
    identity: envelope.uuid ?? line.digest,
    executionKey: envelope.executionKey,
    type: capText(envelope.type, 120),
    kind: content.kind,
    at: envelope.at,
    parentUuid: envelope.parentUuid,
    summary: typeof content.summary === 'string' ? listLine(content.summary) : shortened(content.summary),
    facts: content.facts,
  }
  if (envelope.homeless) record.homeless = true
  if (notes.tooMany !== undefined) {
    record.kind = 'odd'
    record.summary = { id: 'too_many_events', params: notes.tooMany }
  }
  const odd = content.odd ?? oddityOf(notes, missingSession)
  if (odd) {
    record.oddReason = odd.reason
    record.oddDetail = odd.detail
  }
  return record
}

function oddityOf(notes: Notes, missingSession: boolean): RecordContent['odd'] | null {
  if (notes.tooMany !== undefined) return tooMany(notes.tooMany)
  if (notes.wrong.length > 0)
    return { reason: 'wrong_type', detail: { id: 'wrong_fields', params: { fields: notes.wrong } } }
  return missingSession ? { reason: 'no_session', detail: { id: 'no_session', params: {} } } : null
}

/** What a JSON value is that is no object. */
const kindOf = (value: unknown): OddDetails['not_an_object']['is'] =>
  value === null
    ? 'null'
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? (typeof value as 'string' | 'number' | 'boolean')
      : 'list'

/** The normal form of a JSON value that is no object. */
export function notAnObject(line: LineInput, executionKey: string, homeless = false): NormalRecord {
  const content: RecordContent = {
    kind: 'odd',
    summary: cutText(line.text, 400),
    facts: {},
    odd: { reason: 'not_an_object', detail: { id: 'not_an_object', params: { is: kindOf(line.value) } } },
  }
  return finish(
    line,
    { executionKey, type: '', at: null, uuid: null, parentUuid: null, homeless },
    content,
    { wrong: [] },
    false,
  )
}
