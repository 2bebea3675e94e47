import type { Span } from './span'

export type AgentOutcome = 'ok' | 'error' | 'in_flight' | 'unknown'

export type RowLabel = 'tool_error' | 'agent_failure' | 'unresolved' | 'completed' | 'progress'

/** What is where a diagnosis belongs. */
export type DiagnosisState = 'absent' | 'malformed' | 'complete' | 'dispatch_handle' | 'incomplete'

/** What a row of the event log of a workflow engine says (`docs/sources/noetl.md`). Ids are digits as text; texts at most 2,000 characters. */
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
  /** What is where the diagnosis belongs. */
  diagnosis?: { state: Exclude<DiagnosisState, 'absent'>; span: Span }
  /** The row's own word for what went wrong. */
  error?: { text: string; span: Span }
  /** Kind of the tool of a command. */
  tool?: string
  /** The run that the input of this one names. */
  about?: string
  /** The command that the row belongs to. This and what follows are in the tables of the engine, and not in its API. */
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

/** The step that a run is in, when the run began (ISO) and for how many seconds it runs; null: not recorded. */
export interface RunProgress {
  readonly step: string | null
  readonly startedAt: string | null
  readonly durationS: number | null
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
  /** Where the run is, by the document of the status endpoint. */
  progress?: RunProgress
  span: Span
}
