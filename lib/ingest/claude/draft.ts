import type { EventFacts, EventKind, LineInput, NormalRecord, OddReason } from '../normal-form'
import { clip, oneLine } from './text'
import type { Notes } from './wire'

/** What a record told: the kind it is filed under, its line in lists, the facts, and what is odd about it. */
export interface Told {
  kind: EventKind
  summary: string
  facts: EventFacts
  odd?: { reason: OddReason; detail: string }
}

/** A record while it is being read. */
export interface Draft extends Told {
  executionKey: string
  type: string
  at: string | null
  uuid: string | null
  parentUuid: string | null
}

/** Turns a draft into the normal form. A stated oddity beats wrong types, which beat a missing session. */
export function finish(line: LineInput, draft: Draft, notes: Notes, missingSession: boolean): NormalRecord {
  const odd = draft.odd
    ?? (notes.wrong.length > 0 ? { reason: 'wrong_type' as const, detail: notes.wrong.join('; ') } : null)
    ?? (missingSession ? { reason: 'no_session' as const, detail: 'no record before this one names a session' } : null)
  return {
    offset: line.offset,
    length: line.length,
    keptStart: line.keptStart,
    keptEnd: line.keptEnd,
    identity: draft.uuid ?? line.digest,
    executionKey: draft.executionKey,
    type: clip(draft.type, 120),
    kind: draft.kind,
    at: draft.at,
    parentUuid: draft.parentUuid,
    summary: oneLine(draft.summary),
    ...(odd ? { oddReason: odd.reason, oddDetail: clip(odd.detail, 500) } : {}),
    facts: draft.facts,
  }
}

/** The normal form of a JSON value that is no object. */
export function notAnObject(line: LineInput, executionKey: string): NormalRecord {
  const is = line.value === null ? 'null' : Array.isArray(line.value) ? 'a list' : `a ${typeof line.value}`
  const draft: Draft = {
    executionKey, type: '', kind: 'odd', summary: line.text, facts: {}, at: null, uuid: null, parentUuid: null,
    odd: { reason: 'not_an_object', detail: `the record is ${is}` },
  }
  return finish(line, draft, { wrong: [] }, false)
}
