/**
 * Words of the wire (`docs/sources/decisions.md`). The lists are closed in code only: a value that a newer source invents is carried
 * through and shown as itself.
 */
export const CONTENT_STATES = ['complete', 'absent', 'contract_violation', 'session_error'] as const
export type ContentState = (typeof CONTENT_STATES)[number]

export const DECISION_OUTCOMES = ['succeeded', 'retriable', 'failed'] as const
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number]

export const RETRY_REASONS = [
  'resume',
  'stale',
  'none',
  'budget_exhausted',
  'early_stop',
  'zero_writes',
  'empty_output',
  'drain_race',
  'path_contamination',
  'contract_recovery',
  'clone_contamination',
] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

export const CLI_SUBTYPES = [
  'success',
  'error_max_turns',
  'error_during_execution',
  'context_exhaustion',
  'unknown',
  'empty_output',
  'unparseable',
  'timeout',
  'interrupted',
  'idle_stall',
] as const

export const TERMINATIONS = ['natural_exit', 'completed', 'stale', 'idle_stall', 'timed_out'] as const

export const CHANNELS = ['channel_a', 'channel_b', 'unmonitored', 'dir_missing'] as const
export type Channel = (typeof CHANNELS)[number]

/** A session with one of these did not say how it ended. */
export const FAILURE_SUBTYPES: ReadonlySet<string> = new Set([
  'unknown',
  'empty_output',
  'unparseable',
  'timeout',
  'idle_stall',
])
/** The process went away before its output was whole. */
export const KILL_ANOMALY_SUBTYPES: ReadonlySet<string> = new Set([
  'unparseable',
  'empty_output',
  'interrupted',
])
/** A channel that saw the end makes up for output that was lost. */
export const CHANNEL_RECOVERABLE_SUBTYPES: ReadonlySet<string> = new Set(['unparseable', 'empty_output'])
/** Tools that count as writing; no others do, not even those that also change files. */
export const WRITE_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit'])
