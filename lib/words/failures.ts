import type { FailureClass } from '../model/execution'
import type { FailureDetail } from '../model/failure-details'
import { codeWords } from '../text/code-words'
import { failureDetail } from '../judge/calls/failure-detail'

const CLASS_WORDS: Record<FailureClass, string> = {
  exit_code: 'command failed',
  // Both ways to edit what was not read as it is; a single call says which.
  not_read_first: 'edited without a fresh read',
  user_rejected: 'rejected by the user',
  file_missing: 'target missing',
  sibling_cancelled: 'sibling cancelled',
  edit_no_match: 'edit text not found',
  edit_multi_match: 'edit ambiguous',
  too_large: 'too large',
  permission_denied: 'permission denied',
  hook: 'blocked by a hook',
  is_dir: 'is a directory',
  input_validation: 'invalid input',
  task_output: 'unknown task',
  interrupted: 'interrupted',
  agent_failure: 'agent failed',
  other: 'not classified',
}

/** Words of a failure class, for what is counted by class; a class that only a newer source knows is itself. */
export const classWords = (name: string): string =>
  (CLASS_WORDS as Record<string, string | undefined>)[name] ?? codeWords(name)

const DETAIL_WORDS: Record<FailureDetail, string> = {
  nothing_to_change: 'nothing to change',
  changed_since_read: 'changed since reading',
  not_read_yet: 'edited before reading',
  unknown_skill: 'unknown skill',
  unknown_command: 'unknown command',
  unknown_agent_type: 'unknown agent type',
  unknown_tool: 'unknown tool',
  mcp_failure: 'failed in the MCP server',
}

/** What a failed call's own message says more exactly than its class does, in two or three words; `null`: no more. */
export function exactWords(a: {
  tool: string
  failureClass: string | null
  errorText: string | null
}): string | null {
  const detail = failureDetail(a)
  return detail && DETAIL_WORDS[detail]
}

/** Words for how one call failed, wherever it is shown: what its message says, else those of its class; nothing for one that did not. */
export const failureWords = (a: {
  tool: string
  failureClass: string | null
  errorText: string | null
}): string => (a.failureClass === null ? '' : (exactWords(a) ?? classWords(a.failureClass)))
