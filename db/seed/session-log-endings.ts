/** How a made-up run of AutoSkillit ended, in the words of its log. */
export interface SeededEnding {
  success: boolean
  subtype: string
  cliSubtype: string
  exitCode: number
  termination: string
  kill: string
  /** Of its record in the history; `none` for a failure that is not tried again. */
  retryReason: string
  /** Calls that wrote a file, where the ending depends on it. */
  writes?: number
}

export const ENDINGS = {
  success: {
    success: true,
    subtype: 'success',
    cliSubtype: 'success',
    exitCode: -15,
    termination: 'completed',
    kill: 'kill_after_completion',
    retryReason: 'none',
  },
  contract_violation: {
    success: false,
    subtype: 'adjudicated_failure',
    cliSubtype: 'success',
    exitCode: 0,
    termination: 'completed',
    kill: 'kill_after_completion',
    retryReason: 'none',
    writes: 0,
  },
  early_stop: {
    success: false,
    subtype: 'missing_completion_marker',
    cliSubtype: 'success',
    exitCode: 0,
    termination: 'natural_exit',
    kill: 'natural_exit',
    retryReason: 'early_stop',
  },
  drain_race: {
    success: false,
    subtype: 'empty_result',
    cliSubtype: 'success',
    exitCode: -15,
    termination: 'completed',
    kill: 'kill_after_completion',
    retryReason: 'drain_race',
  },
  empty: {
    success: false,
    subtype: 'empty_result',
    cliSubtype: 'success',
    exitCode: 0,
    termination: 'natural_exit',
    kill: 'natural_exit',
    retryReason: 'empty_output',
  },
  stale: {
    success: false,
    subtype: 'stale',
    cliSubtype: '',
    exitCode: -1,
    termination: 'stale',
    kill: 'infra_kill',
    retryReason: 'stale',
  },
  max_turns: {
    success: false,
    subtype: 'error_max_turns',
    cliSubtype: 'error_max_turns',
    exitCode: 1,
    termination: 'natural_exit',
    kill: 'natural_exit',
    retryReason: 'resume',
  },
  timeout: {
    success: false,
    subtype: 'timeout',
    cliSubtype: 'timeout',
    exitCode: -1,
    termination: 'timed_out',
    kill: 'infra_kill',
    retryReason: 'none',
  },
  crashed: {
    success: false,
    subtype: 'crashed',
    cliSubtype: '',
    exitCode: -1,
    termination: 'natural_exit',
    kill: 'exception',
    retryReason: 'none',
    writes: 0,
  },
  newer_words: {
    success: false,
    subtype: 'thinking_only',
    cliSubtype: 'idle_stall',
    exitCode: -1,
    termination: 'thinking_stall',
    kill: 'infra_kill',
    retryReason: 'completed_no_flush',
  },
} as const satisfies Record<string, SeededEnding>

export type EndingName = keyof typeof ENDINGS

export const endingOf = (name: EndingName): SeededEnding => ENDINGS[name]
