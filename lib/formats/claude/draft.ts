import type { EventKind, NormalRecord, OddReason } from '../../model/normal-form'
import { clip, oneLine } from './text'
import type { Notes } from './wire'
import type { EventFacts } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

/** What a record contains: its kind, its line in lists, the facts, and what is odd about it. */
export interface RecordContent {
  kind: EventKind
  summary: string
  facts: EventFacts
  odd?: { reason: OddReason; detail: string }
}

/** A record of a type that this format does not know: kept under its own name, and flagged. */
export const unknownType = (type: string, summary = type): RecordContent => ({
  kind: 'meta',
  summary,
  facts: {},
  odd: { reason: 'unknown_type', detail: `nothing of this format is called ${clip(type, 120)}` },
})

/** A record that does not say what it is. */
export const untyped = (line: LineInput): RecordContent => ({
  kind: 'odd',
  summary: line.text.slice(0, 400),
  facts: {},
  odd: { reason: 'unknown_type', detail: 'the record does not say what it is' },
})

/** What is known of a record besides its content. */
export interface Envelope {
  executionKey: string
  type: string
  at: string | null
  uuid: string | null
  parentUuid: string | null
  homeless?: boolean
}

/** Puts the normal form together. A stated oddity beats wrong types, which beat a missing session. */
export function finish(
  line: LineInput,
  envelope: Envelope,
  told: RecordContent,
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
    type: clip(envelope.type, 120),
    kind: told.kind,
    at: envelope.at,
    parentUuid: envelope.parentUuid,
    summary: oneLine(told.summary),
    facts: told.facts,
  }
  if (envelope.homeless) record.homeless = true
  const odd = told.odd ?? oddityOf(notes, missingSession)
  if (odd) {
    record.oddReason = odd.reason
    record.oddDetail = clip(odd.detail, 500)
  }
  return record
}

function oddityOf(notes: Notes, missingSession: boolean): RecordContent['odd'] | null {
  if (notes.wrong.length > 0) return { reason: 'wrong_type', detail: notes.wrong.join('; ') }
  return missingSession ? { reason: 'no_session', detail: 'no record before this one names a session' } : null
}

/** The normal form of a JSON value that is no object. */
export function notAnObject(line: LineInput, executionKey: string, homeless = false): NormalRecord {
  const is = line.value === null ? 'null' : Array.isArray(line.value) ? 'a list' : `a ${typeof line.value}`
  const odd = { reason: 'not_an_object' as const, detail: `the record is ${is}` }
  const told: RecordContent = { kind: 'odd', summary: line.text.slice(0, 400), facts: {}, odd }
  return finish(
    line,
    { executionKey, type: '', at: null, uuid: null, parentUuid: null, homeless },
    told,
    { wrong: [] },
    false,
  )
}
