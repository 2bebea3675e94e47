import type { EventSummary } from './messages/event-summaries'
import type { OddDetail } from './messages/odd-details'
import type { RedactionMark } from '../text/redaction/finding'
import type { EventFacts } from './event-facts'

/**
 * What every adapter yields, whatever the producer's format: one `NormalRecord`
 * for each record (line) that was received, with the facts that later
 * judgements need. Payloads stay in the kept bytes; the normal form only points at them.
 *
 * A *stream* is one growing sequence of bytes of one producer (a transcript file, the output of one run,
 * the hook frames of one session). Records are identified by stream and byte offset of the original,
 * which is what makes taking the same input twice, or in pieces, harmless.
 */

export const INPUT_CHANNELS = [
  'stream',
  'transcript',
  'hook',
  'record',
  'log',
  'receipt',
  'rows',
  'pipeline',
] as const
/** The channel of a record, in the order of precedence of its facts, highest first; a result record beats all. */
export type InputChannel = (typeof INPUT_CHANNELS)[number]

export const EVENT_KINDS = [
  'prompt', // what a person (or the parent agent) asked
  'text', // what the agent said
  'thinking',
  'call', // the record holds at least one tool call
  'result', // the record holds at least one tool result
  'api_error', // a model request that failed for good
  'api_retry', // a model request that failed and was tried again
  'interruption', // a person stopped the agent
  'compaction',
  'hook', // a hook ran, failed or stopped the run
  'run_start',
  'run_result', // the result record of a run
  'progress',
  'meta', // summaries, snapshots, queue operations, titles
  'odd', // kept, not understood; `oddReason` says why
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export interface NormalRecord {
  /** Byte offset of the line in the original stream. */
  offset: number
  /** Length of the original line, without its line end. */
  length: number
  /** Range of the (redacted) line in the kept bytes of this part, end exclusive. */
  keptStart: number
  keptEnd: number
  /** Identifies this record when it arrives through a second stream: the producer's uuid, else the digest of the original line. */
  identity: string
  /** External id of the execution the record belongs to: `<session>` or `<session>/<agent>`. */
  executionKey: string
  /** It says of no execution that it belongs to it, and makes none of its own: kept and counted as odd, and in no list. */
  homeless?: true
  /** It is inside of the record before it, whose bytes are its own as well. */
  within?: true
  /** The producer's own type, with its subtype behind a slash: `system/api_error`. */
  type: string
  kind: EventKind
  /** Producer's time, ISO 8601 UTC with milliseconds; `null` when absent or unreadable. */
  at: string | null
  parentUuid: string | null
  /** One line for lists: plain text of the producer, at most 200 characters, or what this product says of the record. */
  summary: EventSummary | string
  /** Set for `odd` records and for records with a part that could not be understood. */
  oddReason?: OddReason
  oddDetail?: OddDetail
  facts: EventFacts
}

export const ODD_REASONS = [
  'not_json',
  'not_an_object',
  'torn_line',
  'line_too_long',
  'too_deep',
  'too_many_values',
  'too_many_events',
  'invalid_utf8',
  'binary',
  'unknown_type',
  'no_session',
  'wrong_type',
  'empty_input',
  'gap',
  'unsupported_format',
  'no_receipt',
  'spool_dropped',
  'unstorable_id',
  'unstorable_values',
] as const
export type OddReason = (typeof ODD_REASONS)[number]

/** One part of a stream after redaction and parsing: what the writer stores in one transaction. */
export interface ParsedPart<Context> {
  kept: Uint8Array
  marks: RedactionMark[]
  records: NormalRecord[]
  /** What the next part of the same stream needs to know; plain JSON. */
  context: Context
  /** Offset in the original stream where the next part must begin (a torn last line is read again). */
  nextOffset: number
}
