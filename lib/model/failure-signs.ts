/**
 * What the record of a failed call says of how it failed, as its format reads it: phrases of its text, and members
 * that state it. Facts without a verdict: `lib/judge/calls/failure-class.ts` maps them to a class. Stored in
 * `events.facts`.
 */
export const FAILURE_SIGNS = [
  // What the record states, whatever its text says.
  'denial_recorded',
  'interrupt_recorded',
  'command_failed',
  'agent_failed',
  // What the text says.
  'exit_code',
  'interrupted_by_user',
  'refused_by_user',
  'parallel_call_failed',
  'refused_by_hook',
  'refused_by_policy',
  'permission_missing',
  'access_denied',
  'file_not_read',
  'file_modified',
  'modified_since_read',
  'many_matches',
  'no_match',
  'nothing_to_change',
  'over_limit',
  'is_folder',
  'path_missing',
  'no_such_file',
  'input_invalid',
  'task_unknown',
] as const
export type FailureSign = (typeof FAILURE_SIGNS)[number]
