import type { FailureClass } from '../model/execution'
import { codeWords } from '../text/code-words'
import { unwrapFailure } from '../judge/calls/failure-class'

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

interface Wording {
  class: FailureClass
  when: RegExp
  words: string
}

/** Messages of one class that mean different things to a reader. The class, which is counted, stays what it is. */
const WORDINGS: readonly Wording[] = [
  { class: 'edit_no_match', when: /^No changes to make\b/, words: 'nothing to change' },
  {
    class: 'not_read_first',
    when: /^File has been (?:unexpectedly )?modified\b|modified since (?:it was last )?read/,
    words: 'changed since reading',
  },
  { class: 'not_read_first', when: /^File has not been read yet\b/, words: 'edited before reading' },
  { class: 'other', when: /^Unknown skill\b/i, words: 'unknown skill' },
  { class: 'other', when: /^(?:Unknown slash command\b|.*\bcommand not found$)/i, words: 'unknown command' },
  { class: 'other', when: /^Agent type '[^']*' not found\b/, words: 'unknown agent type' },
  { class: 'other', when: /^(?:No such tool available|Unknown tool)\b/i, words: 'unknown tool' },
]

/** First line of a failure text without its tags, the part that says what kind of failure it is. */
const firstLineOf = (text: string): string =>
  unwrapFailure(text.slice(0, 1_000))
    .replace(/^Error: (?=\S)/, '')
    .split(/\r?\n/, 1)[0]!
    .trim()

/**
 * What a failed call's own message says more exactly than its class does, in two or three words; `null` when the class says all that is
 * known.
 *
 * @see docs/sources.md#failure-classes
 */
export function exactWords(a: {
  tool: string
  failureClass: string | null
  errorText: string | null
}): string | null {
  const line = firstLineOf(a.errorText ?? '')
  const found = WORDINGS.find((w) => w.class === a.failureClass && w.when.test(line))
  if (found) return found.words
  return a.failureClass === 'other' && a.tool.startsWith('mcp__') ? 'failed in the MCP server' : null
}

/** Words for how one call failed, wherever it is shown: what its message says, else those of its class; nothing for one that did not. */
export const failureWords = (a: {
  tool: string
  failureClass: string | null
  errorText: string | null
}): string => (a.failureClass === null ? '' : (exactWords(a) ?? classWords(a.failureClass)))
