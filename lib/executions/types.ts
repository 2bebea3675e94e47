/**
 * What an execution is, once every producer's spelling has been left behind.
 * The lists are closed in code only: a column holds `text`, and a value that a
 * newer source invents is carried through and shown as itself.
 */

export const OUTCOMES = ['running', 'succeeded', 'retriable', 'failed', 'cancelled', 'interrupted', 'unknown'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const BASES = ['recorded', 'recomputed', 'inferred'] as const
export type Basis = (typeof BASES)[number]

/** Failure classes of a single call (`docs/sources.md#failure-classes`). */
export const FAILURE_CLASSES = [
  'exit_code', 'not_read_first', 'user_rejected', 'file_missing', 'sibling_cancelled', 'edit_no_match', 'edit_multi_match',
  'too_large', 'permission_denied', 'hook', 'is_dir', 'input_validation', 'task_output', 'interrupted', 'other',
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

export interface Cause {
  text: string
  category: string
  pointer: Pointer | null
}

/** Whether trying again could have helped, and what to do now: always an inference of ours, always with its reason. */
export interface Advice {
  retry: 'helped' | 'could-help' | 'cannot-help' | 'unknown'
  retryBecause: string
  next: string
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
