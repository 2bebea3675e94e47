/**
 * The closed list of causes. Each source maps its own words to it (docs/sources/cause.md).
 */
export const CAUSE_CATEGORIES = [
  'agent_signal', // the agent itself declared the run failed
  'agent_failure', // an agent inside failed, whatever the run says of itself
  'api_error', // a model request failed for good
  'limit', // turns, budget or another limit of the run
  'startup', // the run never started
  'cli_error', // the CLI reports an error of its own
  'permission_denied', // tools were refused by the permission mode
  'interruption', // a person stopped it, or refused a call and it ended there
  'cut_off', // the record ends in the middle
  'tool_failure', // the run ended on a failed call
  'hook_stop', // a hook stopped it
  'call_failures', // the run ended well, calls failed on the way
  'result_unreadable', // it ended, the record of how is broken
  'contract', // it ended, and its result is not what was asked for
  'process', // the process failed, was ended from outside, or fell silent
  'unexplained', // the source says that it failed, in no word that is known here
] as const
export type CauseCategory = (typeof CAUSE_CATEGORIES)[number]
