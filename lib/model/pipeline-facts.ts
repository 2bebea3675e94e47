import type { Span } from './span'

/**
 * What the files of a run of async-pipeline say (`docs/sources/async-pipeline.md`). Texts at most 2,000 characters; words of closed lists are kept
 * as they came.
 */

/** The record of the run, `execution.json`. */
export interface PipelineRunFact {
  pipeline: string | null
  job: string | null
  status: string | null
  mode: string | null
  pid: number | null
  startedAt: string | null
  finishedAt: string | null
  /** Tasks that it lists: only those that have ended. */
  tasks: number
  sources: {
    id: string
    type: string | null
    commit: string | null
    ref: string | null
    dirty: boolean | null
  }[]
  /** It came without the files beside it, so that nothing could be compared with what the tool took out. */
  alone?: true
  span: Span
}

export const TASK_FAILURES = [
  'command',
  'agent_step',
  'timeout',
  'tool',
  'secret',
  'variable',
  'agent_profile',
  'prepare',
  'other',
] as const
export type TaskFailure = (typeof TASK_FAILURES)[number]

/** One task result of the record. */
export interface TaskFact {
  id: string
  /** Place in the record, which is that in the graph. */
  ordinal: number
  status: string | null
  startedAt: string | null
  finishedAt: string | null
  durationMs: number | null
  attempts: number | null
  cacheKey: string | null
  cacheHit: boolean | null
  metadata?: Record<string, string>
  error?: { text: string; failure: TaskFailure; exitCode: number | null; span: Span }
  span: Span
}

export interface InputDiff {
  /** Null: there was no passing run to compare with. */
  baseline: { cacheKey: string | null; recordedAt: string | null } | null
  added: string[]
  removed: string[]
  changed: string[]
  /** Paths that are not listed here. */
  leftOut: number
}

/** A failure context pack. */
export interface ContextPackFact {
  task: string
  error: string | null
  attempts: number | null
  cacheKey: string | null
  reproduce: string | null
  /** The last 4096 UTF-16 units of the log. */
  logTail: string | null
  inputDiff: InputDiff | null
  claims: string[]
  span: Span
}

/** A log; it does not say whose it is, its name does as far as that goes. */
export interface TaskLogFact {
  stem: string
  chars: number
  /** Of each `[attempt N]` line. */
  attempts: { number: number; text: string; span: Span }[]
  /** `[env]`, `[timeout]`, `[prepare]`, `[interrupted]` and the like. */
  notes: { tag: string; text: string; span: Span }[]
  /** The line that says how much of the beginning the tool dropped. */
  dropped?: string
  /** Bytes that were left out on the way here. */
  cutBytes?: number
  span: Span
}

/** The exchange of an agent step: the last one of its task. */
export interface ExchangeFact {
  task: string | null
  profile: string | null
  model: string | null
  at: string | null
  /** Null: it contains only the request. */
  response: {
    at: string | null
    durationMs: number | null
    code: number | null
    timedOut: boolean | null
  } | null
  span: Span
}

/** A patch that lies with the run, in the proposed layout or as a declared output. */
export interface PatchFileFact {
  origin: 'fixes-dir' | 'stdout-artifact'
  fileName: string
  /** Part of the name that stands for the task, or the cache key of the task that made it. */
  of: string
  size: number
  sha256: string
  span: Span
}
