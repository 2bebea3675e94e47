import type { FailureClass } from '../executions/types'

/**
 * What every adapter yields, whatever the producer's format: one `NormalRecord`
 * for each record (line) that was received, with the facts that later
 * judgements need. Payloads stay in the kept bytes; the normal form only points at them.
 *
 * A *stream* is one growing sequence of bytes of one producer (a transcript file, the output of one run,
 * the hook frames of one session). Records are identified by stream and byte offset of the original,
 * which is what makes taking the same input twice, or in pieces, harmless.
 */

export const DOORS = ['stream', 'transcript', 'hook'] as const
/** The door a record came through. The order is the order of precedence of its facts, highest first; a result record beats all. */
export type Door = (typeof DOORS)[number]

export const EVENT_KINDS = [
  'prompt',       // what a person (or the parent agent) asked
  'text',         // what the agent said
  'thinking',
  'call',         // the record holds at least one tool call
  'result',       // the record holds at least one tool result
  'api_error',    // a model request that failed for good
  'api_retry',    // a model request that failed and was tried again
  'interruption', // a person stopped the agent
  'compaction',
  'hook',         // a hook ran, failed or stopped the run
  'run_start',
  'run_result',   // the result record of a run
  'progress',
  'meta',         // summaries, snapshots, queue operations, titles
  'odd',          // kept, not understood; `oddReason` says why
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Span of bytes relative to the record's first kept byte, end exclusive. */
export interface Span {
  start: number
  end: number
  jsonPointer?: string
}

export interface CallFact {
  callId: string
  tool: string
  /** `null` when the input names none of the target keys. */
  target: string | null
  /** First words of a shell command: the looser link between tries. */
  looseTarget?: string
  /** Digest of the whole input, to tell "tried again unchanged" from "tried differently". */
  inputDigest: string
  /** The model message the call belongs to: siblings share it. */
  messageId?: string
  span: Span
}

export interface ResultFact {
  callId: string
  failed: boolean
  failureClass?: FailureClass
  /** The failure text, at most 2,000 characters: head and tail of a longer one. Never set for a success. */
  text?: string
  /** True when `text` was cut. */
  textCut?: boolean
  /** The line of the *whole* failure text that says why (`decisiveLine` of `lib/text/decisive-line.ts`), at most 500 characters, and exactly where it stands. */
  decisive?: { text: string; span: Span }
  exitCode?: number
  span: Span
  /** Sub-agent started by this call, when the result says so. */
  childAgentId?: string
  durationMs?: number
}

export interface UsageFact {
  messageId: string
  model?: string
  inputTokens: number
  outputTokens: number
  cacheReadInputTokens: number
  cacheCreationInputTokens: number
}

/** The facts of the result record of a run (`docs/sources.md#result-record`). */
export interface RunResultFact {
  subtype: string | null
  isError: boolean | null
  /** First 4,000 characters. */
  result: string | null
  errors: string[]
  stopReason: string | null
  terminalReason: string | null
  apiErrorStatus: number | null
  startupFailureReason: string | null
  permissionDenials: { tool: string | null; callId: string | null }[]
  numTurns: number | null
  durationMs: number | null
  costUsd: number | null
  /** The record's fields had wrong types: it says that a run ended, not how. */
  unreadable?: boolean
  /** Failure signal found in the whole `result`, with its reason (`null`: none given). */
  signal?: { reason: string | null }
  span: Span
}

/** Everything a judgement may need of one record. Stored as `events.facts`; keys absent when there is nothing to say. */
export interface EventFacts {
  calls?: CallFact[]
  results?: ResultFact[]
  usage?: UsageFact
  apiError?: { class: string | null; status: number | null; text: string; span: Span }
  apiRetry?: { attempt: number | null; maxRetries: number | null; status: number | null; class: string | null }
  interruption?: { span: Span }
  /** Text the agent said: its last 300 characters, whether it holds a failure signal, and where it stands. */
  said?: { tail: string; signal?: { reason: string | null }; span: Span }
  hookStop?: { errors: string[]; prevented: boolean; reason: string | null; span: Span }
  runResult?: RunResultFact
  runStart?: { model: string | null; serversNotConnected: string[] }
  /** Frames of hooks that end a run or a session: `how` is the event's name, `reason` the frame's own word for why. */
  ended?: { how: string; error: string | null; reason?: string }
  /** Child executions that calls of this execution started, with their full external keys; told on a record of the parent. */
  children?: { callId: string; childKey: string }[]
  /** uuids of messages this record takes back; they must not be counted. */
  retracts?: string[]
  /** What the agent was asked, first 300 characters. */
  prompt?: string
  cwd?: string
  branch?: string
  repository?: string
  version?: string
  model?: string
  title?: string
  /** Execution started by a call of the parent: links a child to its parent. */
  childOf?: { parentKey: string; callId: string | null }
}

export interface NormalRecord {
  /** Byte offset of the line in the original stream. */
  offset: number
  /** Length of the original line, without its line end. */
  length: number
  /** Range of the (redacted) line in the kept bytes of this part, end exclusive. */
  keptStart: number
  keptEnd: number
  /** What tells this record from others when it arrives through a second stream: the producer's uuid, else the digest of the original line. */
  identity: string
  /** External id of the execution the record belongs to: `<session>` or `<session>/<agent>`. */
  executionKey: string
  /** It says of no execution that it belongs to it, and makes none of its own: kept and counted as odd, and in no list. */
  homeless?: true
  /** The producer's own type, with its subtype behind a slash: `system/api_error`. */
  type: string
  kind: EventKind
  /** Producer's time, ISO 8601 UTC with milliseconds; `null` when absent or unreadable. */
  at: string | null
  parentUuid: string | null
  /** One line for lists, at most 200 characters, plain text. */
  summary: string
  /** Set for `odd` records and for records with a part that could not be understood. */
  oddReason?: OddReason
  oddDetail?: string
  facts: EventFacts
}

export const ODD_REASONS = [
  'not_json', 'not_an_object', 'torn_line', 'line_too_long', 'too_deep', 'invalid_utf8', 'binary', 'unknown_type',
  'no_session', 'wrong_type', 'empty_input', 'gap', 'unsupported_format',
] as const
export type OddReason = (typeof ODD_REASONS)[number]

/** A place where something was taken out before anything was written; offsets in the kept bytes of the part. */
export interface RedactionMark {
  rule: string
  byteStart: number
  byteEnd: number
}

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

/** Formats that are taken in, by the name that the ingest door uses. */
export const INGEST_KINDS = ['claude-transcript', 'claude-stream', 'claude-hook'] as const
export type IngestKind = (typeof INGEST_KINDS)[number]

/** What is known about a stream besides its bytes. */
export interface StreamHint {
  /** Path of the file below its root, with `/`; carries session and agent ids in both sub-agent layouts. */
  fileName?: string | null
  /** First session id found while peeking at the part. */
  sessionId?: string | null
  /** First agent id found while peeking. */
  agentId?: string | null
}

/** One line, or one element of a JSON array, after redaction and `JSON.parse`. */
export interface LineInput {
  value: unknown
  /** Redacted text of the record; spans are found in it and count UTF-8 bytes. */
  text: string
  offset: number
  length: number
  keptStart: number
  keptEnd: number
  /** SHA-256 of the original line, hex, first 32 characters. */
  digest: string
}

/** An adapter folds records of one stream, in order; its context is plain JSON and survives between parts. */
export interface Adapter<Context> {
  door: Door
  /** Session and agent a record names itself, for the peek before the fold. */
  peek(value: unknown): { sessionId: string | null; agentId: string | null }
  start(hint: StreamHint): Context
  /** Turns one record into its normal form and notes in `context` what later records need. Never throws. */
  read(line: LineInput, context: Context): NormalRecord
}
