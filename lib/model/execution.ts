import type { RetryVerdicts } from './retry'

/**
 * What an execution is, once every producer's spelling has been left behind.
 * The lists are closed in code only: a column holds `text`, and a value that a
 * newer source invents is carried through and shown as itself.
 */

export const OUTCOMES = [
  'running',
  'succeeded',
  'retriable',
  'failed',
  'cancelled',
  'interrupted',
  'unknown',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const BASES = ['recorded', 'recomputed', 'inferred'] as const
export type Basis = (typeof BASES)[number]

/** Failure classes of a single call (`docs/sources/cause.md#failure-classes`). */
export const FAILURE_CLASSES = [
  'exit_code',
  'not_read_first',
  'user_rejected',
  'file_missing',
  'sibling_cancelled',
  'edit_no_match',
  'edit_multi_match',
  'too_large',
  'permission_denied',
  'hook',
  'is_dir',
  'input_validation',
  'task_output',
  'interrupted',
  'agent_failure',
  'other',
] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]

/** A place in the kept bytes. Offsets count bytes, `byteEnd` is exclusive. */
export interface Pointer {
  received: string
  byteStart: number
  byteEnd: number
  jsonPointer?: string
}

/** Counts of one execution, without those of its children. */
export interface Counts {
  records: number
  calls: number
  failedCalls: number
  failedByClass: Partial<Record<string, number>>
  callsWithoutResult: number
  chains: number
  recoveredChains: number
}

/** A cause as it is shown. */
export interface Cause {
  /** At most 90 characters; ends in … where it is cut. */
  headline: string
  /** The whole line, and below it what failed before, where anything did. */
  text: string
  /** Null: the row is from before there were rules. */
  rule: string | null
  category: string
  pointer: Pointer | null
}

/** Answers to "could a retry have helped?". */
export const RETRY_ANSWERS = ['helped', 'could-help', 'cannot-help', 'unknown'] as const
export type RetryAnswer = (typeof RETRY_ANSWERS)[number]

/** A message as a row keeps it: its id may be one that only another version knows. */
export interface StoredMessage {
  id: string
  params: unknown
}

/** Facts of an advice beside its texts; rows of older versions hold the texts alone. */
interface AdviceFacts extends Partial<RetryVerdicts> {
  /** The rule that gave the verdict on the run, with its values: what `retryBecause` says. */
  because?: StoredMessage
  /** What `next` says. */
  step?: StoredMessage
}

/** Whether trying again would help, and what to do now: always an inference of ours, always with its reason. */
export interface Advice extends AdviceFacts {
  retry: RetryAnswer
  /** The answer in words, where `retry` alone would mislead: for the same call and for a changed one. */
  verdict?: string
  retryBecause: string
  next: string
  /** Everything that failed inside the run, kind by kind; each with its own retry and next step. */
  failures?: FailureRead[]
  /** Failed calls of the kinds that are not listed. */
  failuresLeftOut?: number
}

/** Failures of one tool with the same words inside a run: what happened, what became of it, what a retry could do, what to do next. */
export interface FailureRead extends AdviceFacts {
  /** Numbers of their retry chains; empty for requests to the model. */
  chains: number[]
  /** Those of them whose work was done another way later, which is inferred. */
  doneOtherwise?: number[]
  /** Failed calls (or requests). */
  failed: number
  what: string
  ended: string
  retry: RetryAnswer
  verdict?: string
  retryBecause: string
  next: string
  /** What `what` says. */
  summary?: StoredMessage
  /** What `ended` says. */
  aftermath?: StoredMessage
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  cacheReadInputTokens: number
  cacheCreationInputTokens: number
  /** Messages counted, each once, however many records repeated its usage. */
  messages: number
  costUsd: number | null
}

/** How it is known that executions are attempts of one piece of work (`docs/sources/attempts.md#chains`); of several chains the first is to go by. */
export const CHAIN_RULES = [
  'named_chain',
  'resumed_session',
  'ci_run_attempts',
  'same_kitchen_order_step_command',
  'same_ci_job_command',
  'same_pipeline_job_task',
] as const
export type ChainRule = (typeof CHAIN_RULES)[number]
