import type { FailureClass } from './execution'
import type {
  ContextPackFact,
  ExchangeFact,
  PatchFileFact,
  PipelineRunFact,
  TaskFact,
  TaskLogFact,
} from './pipeline-facts'
import type { Finding } from '../text/redaction/finding'
import type { Span } from './span'
import type { CiRun } from './ci-run'
import type { AgentOutcome, RowLabel, DiagnosisState } from './workflow-facts'
import type { MalformedWhy, ReceiptEvent } from './receipt-facts'
import type { SignalBreach } from './failure-signal'

export type { Span }

/**
 * What every adapter yields, whatever the producer's format: one `NormalRecord`
 * for each record (line) that was received, with the facts that later
 * judgements need. Payloads stay in the kept bytes; the normal form only points at them.
 *
 * A *stream* is one growing sequence of bytes of one producer (a transcript file, the output of one run,
 * the hook frames of one session). Records are identified by stream and byte offset of the original,
 * which is what makes taking the same input twice, or in pieces, harmless.
 */

export const DOORS = ['stream', 'transcript', 'hook', 'record', 'log', 'receipt', 'rows', 'pipeline'] as const
/** The door a record came through. The order is the order of precedence of its facts, highest first; a result record beats all. */
export type Door = (typeof DOORS)[number]

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

export interface CallFact {
  callId: string
  tool: string
  /** `null` when the input names none of the target keys. */
  target: string | null
  /** First words of a shell command: the looser link between attempts. */
  looseTarget?: string
  /** Digest of the whole input, to tell "tried again unchanged" from "tried differently"; empty where it is not known. */
  inputDigest: string
  /** The model message the call belongs to: siblings share it. */
  messageId?: string
  /** The record should say how the call ended, and does not: a receipt without an outcome. A call that is only not answered yet has no such mark. */
  endUntold?: true
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

/** A failure signal in a text of the agent. */
export interface SignalFact {
  /** First 2,000 characters; `null`: none given. */
  reason: string | null
  /** Breaches of the contract, each with the place of the block that it is about; absent when there are none. They change no verdict. */
  hints?: { breach: SignalBreach; text: string; span: Span }[]
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
  /** Failure signal found in the whole `result`. */
  signal?: SignalFact
  span: Span
}

/**
 * What `inquest record` saw of the process around an agent (`docs/sources.md#record`). Told by the first record of its document, when the end is
 * not known yet, and again, whole, by the last one: of a stream the later telling counts, and without a second one the recorder was killed.
 * Words of the closed lists (termination, channel, kill reason) are kept as they came.
 */
export interface RunFact {
  recordId: string
  /** Program and arguments; cut where they are very long. */
  command: string[]
  cwd: string | null
  startedAt: string | null
  endedAt: string | null
  /** Of the process itself; `null` while it runs, and for one that a signal ended. 126 and 127: it could not be started. */
  exitCode: number | null
  /** `SIGTERM` and the like, when a signal ended the process. */
  signal: string | null
  termination: string | null
  channelConfirmation: string | null
  killReason: string | null
  /** Completion marker; `''` means that the run asked for none. */
  marker: string
  /** Expected output patterns as they were given, in their order. */
  patterns: string[]
  /** Seconds after which the recorder was to stop it. `null`: it had no limit, or its recorder did not say; facts that are older lack it. */
  timeoutS?: number | null
  /** Tag of the failure signal that its recorder looked for; unset: the default one. */
  failureTag?: string
  /** The piece of work and the number of the attempt, as the caller or the CI system names them; without a number the attempts are ordered by time. */
  chain: { key: string; attempt: number | null } | null
  ci: CiRun | null
  /**
   * The whole standard output as the process wrote it; `kind` says by which door it was sent, `null`: in pieces of this document. `sentBytes` is
   * its length as it was sent where secrets were taken out before that, else `null`.
   */
  stdout: { bytes: number | null; sha256: string | null; kind: string | null; sentBytes: number | null }
  /** The last 2,000 characters of standard error. */
  stderrTail: string
  /** What the recorder itself judged, when it ended in good order; `failedOn` is the `--fail-on` kind that made its exit status 70. */
  verdict: {
    failed: boolean
    kind: string
    reason: string | null
    text: string | null
    failedOn: string | null
  } | null
  span: Span
}

/** Files in which AutoSkillit tells of a run, by what they are called on disk. */
export const RECORDED_FILES = {
  summary: 'summary.json',
  index: 'sessions.jsonl',
  audit_log: 'audit_log.json',
  token_usage: 'token_usage.json',
  step_timing: 'step_timing.json',
  crash: 'crash_exception.txt',
} as const
export type RecordedSource = keyof typeof RECORDED_FILES

/**
 * What one record of an AutoSkillit session log says of a run (`docs/sources.md#autoskillit`): the verdict of the source, never one of ours.
 * Keys are absent when the record does not say it; words of closed lists are kept as they came, also those that no list here knows.
 */
export interface RecordedDecisionFact {
  source: RecordedSource
  /** Folder of the run below `sessions/`: tells runs of one session apart. */
  dirName?: string
  success?: boolean
  /** In `audit_log` what was noted before the budget, path and zero-write gates, so not always that of the result; so is `exitCode` there. */
  subtype?: string
  cliSubtype?: string
  exitCode?: number
  terminationReason?: string
  killReason?: string
  /** Only the audit log has this and `retryReason`: of the first record of the run, before the gates. */
  needsRetry?: boolean
  retryReason?: string
  /** First 100 characters in the index, 200 in the audit log, whole in the summary. */
  skillCommand?: string
  writeCallCount?: number
  /** Older logs: `pipeline_id`. */
  kitchenId?: string
  orderId?: string
  stepName?: string
  /** ISO 8601 UTC with milliseconds. */
  startedAt?: string
  endedAt?: string
  durationSeconds?: number
  writePathWarnings?: string[]
  cloneContaminationReverted?: boolean
  inputTokens?: number
  outputTokens?: number
  cacheReadInputTokens?: number
  cacheCreationInputTokens?: number
  /** Line of `crash_exception.txt` that says why, at most 500 characters. */
  crash?: string
  /** The field that decides: subtype of a failure, `success` of a success, retry reason of the audit log, line of a crash. */
  span: Span
}

/** What a receipt of Agent Receipts says of itself; texts at most 2,000 characters. Its signature is checked from its bytes, never from here. */
export interface ReceiptFact {
  id: string | null
  /** Values that are no text stand as JSON. */
  chainId: string | null
  /** `null`: none, or no whole number. */
  sequence: number | null
  /** Computed here; `null` where the receipt has no canonical form. */
  hash: string | null
  previousHash: string | null
  status: string | null
  actionType: string | null
  tool: string | null
  at: string | null
  issuerId: string | null
  sessionId: string | null
  agentId: string | null
  correlationId: string | null
  terminal: boolean
  event: ReceiptEvent | null
  malformed: MalformedWhy | null
  /** Events that were lost before it. Facts that are older lack this and what follows, until they are derived anew. */
  dropped?: number | null
  target?: string | null
  parametersHash?: string | null
  idempotencyKey?: string | null
  /** Where the chain of a sub-agent says that it was started from. */
  parent?: { chainId: string; receiptId: string | null } | null
}

/** What a row of the event log of a workflow engine says (`docs/sources.md#noetl`). Ids are digits as text; texts at most 2,000 characters. */
export interface RowFact {
  eventId: string | null
  /** In its usual spelling: lower case, with dots. */
  type: string
  node: string | null
  status: string | null
  label: RowLabel
  /** The envelope in the row. */
  agent?: {
    outcome: AgentOutcome
    /** The child run. */
    executionId: string | null
    errorKind: string | null
    errorCode: string | null
    message: string | null
    /** Of the words that say why, else the envelope. */
    span: Span
  }
  /** What stands where the diagnosis belongs. */
  diagnosis?: { state: Exclude<DiagnosisState, 'absent'>; span: Span }
  /** The row's own word for what went wrong. */
  error?: { text: string; span: Span }
  /** Kind of the tool of a command. */
  tool?: string
  /** The run that the input of this one names. */
  about?: string
  /** The command that the row belongs to. This and what follows stand in the tables of the engine, and not in its API. */
  commandId?: string
  /** Which try of its work a command is. */
  attempt?: CountedAttempt
  nodeType?: string
  workerId?: string
  /** Where the result is kept instead of in the row. It is named, and not followed. */
  reference?: string
}

/** An attempt as the engine counts it, from 1, and how many it allows. */
export interface CountedAttempt {
  number: number
  max: number | null
}

/** What the engine's table of commands says of one. Its row changes while the command is at work; the log is what a run is judged by. */
export interface CommandFact {
  commandId: string
  /** Of the row that issued it. */
  eventId: string | null
  step: string | null
  status: string | null
  attempt: CountedAttempt
  /** When the row was changed last. */
  changedAt: string | null
}

/** What was captured of a worker's reply, before the engine made rows of it. */
export interface CaptureFact {
  /** The row that was made of it, where the capture names it. */
  eventId: string | null
  type: string | null
  node: string | null
  /** Keys that lead to the reply, from the capture. */
  path: string
  span: Span
}

/** What the document of a run says of it beside its rows. */
export interface RunDocumentFact {
  /** Which server wrote it; `tables`: nobody's document, but what the tables of the engine hold of the run. */
  dialect: 'python' | 'rust' | 'tables' | 'other'
  /** Which of its documents: of one run with its rows, an entry of the list of runs, or the status endpoint's; `log`: how far the log was read. */
  form: 'detail' | 'list' | 'status' | 'log'
  status: string | null
  path: string | null
  /** Ids of the oldest and the newest of its rows; null without any. */
  rows: { count: number; oldest: string | null; newest: string | null }
  /** Rows that there are, as it says. */
  total: number | null
  page: number | null
  about?: string
  /** When it was asked for, ISO, where it says so. */
  asked?: string
  span: Span
}

/** Everything a judgement may need of one record. Stored as `events.facts`; keys absent when there is nothing to say. */
export interface EventFacts {
  calls?: CallFact[]
  results?: ResultFact[]
  usage?: UsageFact
  apiError?: { class: string | null; status: number | null; text: string; span: Span }
  apiRetry?: {
    attempt: number | null
    maxRetries: number | null
    status: number | null
    class: string | null
  }
  interruption?: { span: Span }
  /** Text the agent said: its last 300 characters, whether it holds a failure signal, and where it stands. */
  said?: { tail: string; signal?: SignalFact; span: Span }
  hookStop?: { errors: string[]; prevented: boolean; reason: string | null; span: Span }
  runResult?: RunResultFact
  /** What the orchestrator of the run recorded of it. */
  recorded?: RecordedDecisionFact
  runStart?: { model: string | null; serversNotConnected: string[] }
  run?: RunFact
  receipt?: ReceiptFact
  row?: RowFact
  command?: CommandFact
  document?: RunDocumentFact
  capture?: CaptureFact
  pipelineRun?: PipelineRunFact
  pipelineTask?: TaskFact
  contextPack?: ContextPackFact
  taskLog?: TaskLogFact
  exchange?: ExchangeFact
  patchFile?: PatchFileFact
  /** Frames of hooks that end a run or a session: `how` is the event's name, `reason` the frame's own word for why. */
  ended?: { how: string; error: string | null; reason?: string }
  /** Child executions that calls of this execution started, with their full external keys; told on a record of the parent. */
  children?: { callId: string; childKey: string }[]
  /** uuids of messages this record takes back; they must not be counted. */
  retracts?: string[]
  /** What the agent was asked, first 300 characters. */
  prompt?: string
  /** The beginning of what it was asked, as a statement about a call quotes it: names a run, and says nothing of when it was asked. */
  asked?: string
  /** Who made the call, by the name that the source gives: names a run of which nobody knows what was asked. */
  actor?: string
  cwd?: string
  branch?: string
  repository?: string
  version?: string
  model?: string
  /** Session that this one was copied from up to here, to go on by itself. */
  forkedFrom?: string
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
  /** It stands inside of the record before it, whose bytes are its own as well. */
  within?: true
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
  'not_json',
  'not_an_object',
  'torn_line',
  'line_too_long',
  'too_deep',
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
export const INGEST_KINDS = [
  'claude-transcript',
  'claude-stream',
  'claude-hook',
  'record',
  'autoskillit',
  'receipts',
  'noetl',
  'async-pipeline',
] as const
export type IngestKind = (typeof INGEST_KINDS)[number]

/** The producer of a format, which is the kind of its sources: never the door that it came through. A record stands beside what it recorded. */
export const producerOf = (kind: IngestKind): string => PRODUCERS[kind] ?? 'claude-code'
const PRODUCERS: Partial<Record<IngestKind, string>> = {
  autoskillit: 'autoskillit',
  receipts: 'agent-receipts',
  noetl: 'noetl',
  'async-pipeline': 'async-pipeline',
}

/** Formats of which each record is a stream of its own, in no order that could be got wrong. */
export const LOOSE_KINDS = ['claude-hook', 'receipts'] as const satisfies readonly IngestKind[]
export type LooseKind = (typeof LOOSE_KINDS)[number]
export const isLoose = (kind: IngestKind): kind is LooseKind =>
  (LOOSE_KINDS as readonly string[]).includes(kind)

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
  /** Tag by which failure signals are looked for; unset: the default one. */
  failureTag?: string
}

/** An adapter folds records of one stream, in order; its context is plain JSON and survives between parts. */
export interface Adapter<Context> {
  door: Door
  /** Session and agent a record names itself, for the peek before the fold. `text`: the record as it came, for ids that a number would cut short. */
  peek(value: unknown, text?: string): { sessionId: string | null; agentId: string | null }
  start(hint: StreamHint): Context
  /** Turns one record into its normal form and notes in `context` what later records need. Never throws. */
  read(line: LineInput, context: Context): NormalRecord
  /**
   * Records that stand inside of the one that was read, each by its own place in the kept bytes; their offsets lie inside of the line's, so
   * that no other record has them. Never throws. Unset: none.
   */
  within?(line: LineInput, context: Context): NormalRecord[]
  /** Whether a part is one text and no JSON: its only record then, with the text as value. Unset: never. */
  isText?(context: Context): boolean
  /** What a file's path says before anything of it is read; it beats what the records name. Unset: nothing. */
  nameOf?(fileName: string | null): FileNamed | null
  /**
   * Whether each line of a file of this name is a stream of its own: where the producer rewrites the file, lines that stayed are known
   * wherever they stand. Unset: never.
   */
  linesStandAlone?(fileName: string | null): boolean
  /** Whether a value, by the keys that lead to it, is worth nothing when a byte of it changes: nothing is taken out of it. Unset: none is. */
  isExact?(path: readonly string[]): boolean
  /**
   * What must not be kept of a part beside what the rules find, because other records of it give it away. Asked once for a part; what it answers
   * is asked for each record. Null: nothing. Unset: never.
   */
  hide?(bytes: Uint8Array): ((text: string) => Finding[]) | null
}

/** A file that belongs to a session by its path. */
export interface FileNamed {
  sessionId: string
  /** Which file of which run: names the stream whatever the bytes are. */
  file: string
}
