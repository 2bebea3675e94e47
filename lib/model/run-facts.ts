import type { SignalFact } from './failure-signal'
import type { Span } from './span'
import type { CiRun } from './ci-run'

/** The facts of the result record of a run (`docs/sources/claude-code.md#result-record`). */
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

/** Characters that are kept of the end of each stream. */
export const RUN_TAIL_CHARS = { stderr: 2_000, stdout: 4_000 } as const

/**
 * What `inquest record` saw of the process around an agent (`docs/sources/record.md`). In the first record of its document, when the end is
 * not known yet, and again, whole, by the last one: of a stream the later record counts, and without a second one the recorder was killed.
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
   * The whole standard output as the process wrote it; `kind` says in which format it was sent, `null`: in pieces of this document. `sentBytes` is
   * its length as it was sent where secrets were taken out before that, else `null`.
   */
  stdout: { bytes: number | null; sha256: string | null; kind: string | null; sentBytes: number | null }
  /** The end of standard error, as much of it as is kept. */
  stderrTail: string
  /** The end of standard output, where it was sent in pieces of this document; facts that are older lack it. */
  stdoutTail?: string
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

/**
 * What a CI job says of an execution whose records it sends after the run (`inquest import --ci`): which run it was part of, and how the step ended
 * that ran the agent. The record of the agent may say nothing of either.
 */
export interface CiStepFact {
  ci: CiRun
  /** `failure`, `success`, `cancelled`, or the word of the CI system; `null` when the job does not say. */
  conclusion: string | null
  span: Span
}

/** Files of an AutoSkillit run, by their names on disk. */
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
 * What one record of an AutoSkillit session log says of a run (`docs/sources/autoskillit.md`): the verdict of the source, never one of ours.
 * Keys are absent when the record does not say it; words of closed lists are kept as they came, also those that no list here knows.
 */
export interface RecordedDecisionFact {
  source: RecordedSource
  /** Folder of the run below `sessions/`: distinguishes runs of one session. */
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
