/** What messages of one failure class may say more exactly. */
export const FAILURE_DETAILS = [
  'nothing_to_change',
  'changed_since_read',
  'not_read_yet',
  'unknown_skill',
  'unknown_command',
  'unknown_agent_type',
  'unknown_tool',
  'mcp_failure',
] as const
export type FailureDetail = (typeof FAILURE_DETAILS)[number]
