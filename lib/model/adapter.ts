import type { InputChannel, NormalRecord } from './normal-form'
import type { Finding } from '../text/redaction/finding'

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
  channel: InputChannel
  /** Session and agent a record names itself, for the peek before the fold. `text`: the record as it came, for ids that a number would cut short. */
  peek(value: unknown, text?: string): { sessionId: string | null; agentId: string | null }
  start(hint: StreamHint): Context
  /** Turns one record into its normal form and notes in `context` what later records need. Never throws. */
  read(line: LineInput, context: Context): NormalRecord
  /**
   * Records that are inside of the one that was read, each by its own place in the kept bytes; their offsets lie inside of the line's, so
   * that no other record has them. Never throws. Unset: none.
   */
  within?(line: LineInput, context: Context): NormalRecord[]
  /** Whether a part is one text and no JSON: its only record then, with the text as value. Unset: never. */
  isText?(context: Context): boolean
  /** What a file's path says before anything of it is read; it beats what the records name. Unset: nothing. */
  nameOf?(fileName: string | null): FileNamed | null
  /**
   * Whether each line of a file of this name is a stream of its own: where the producer rewrites the file, lines that stayed are known
   * wherever they are. Unset: never.
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
