import type { FailureClass } from '../../model/execution'
import type { FailureDetail } from '../../model/failure-details'
import { unwrapFailure } from '../../formats/claude/failure-signs'

interface Sign {
  class: FailureClass
  when: RegExp
  detail: FailureDetail
}

/** Messages of one class that mean different things to a reader. The class, which is counted, stays what it is. */
const SIGNS: readonly Sign[] = [
  { class: 'edit_no_match', when: /^No changes to make\b/, detail: 'nothing_to_change' },
  {
    class: 'not_read_first',
    when: /^File has been (?:unexpectedly )?modified\b|modified since (?:it was last )?read/,
    detail: 'changed_since_read',
  },
  { class: 'not_read_first', when: /^File has not been read yet\b/, detail: 'not_read_yet' },
  { class: 'other', when: /^Unknown skill\b/i, detail: 'unknown_skill' },
  { class: 'other', when: /^(?:Unknown slash command\b|.*\bcommand not found$)/i, detail: 'unknown_command' },
  { class: 'other', when: /^Agent type '[^']*' not found\b/, detail: 'unknown_agent_type' },
  { class: 'other', when: /^(?:No such tool available|Unknown tool)\b/i, detail: 'unknown_tool' },
]

/** First line of a failure text without its tags, the part that says what kind of failure it is. */
const firstLineOf = (text: string): string =>
  unwrapFailure(text.slice(0, 1_000))
    .replace(/^Error: (?=\S)/, '')
    .split(/\r?\n/, 1)[0]!
    .trim()

/**
 * What a failed call's own message says more exactly than its class does; `null` when the class says all that is known.
 *
 * @see docs/sources/cause.md#failure-classes
 */
export function failureDetail(a: {
  tool: string
  failureClass: string | null
  errorText: string | null
}): FailureDetail | null {
  const line = firstLineOf(a.errorText ?? '')
  const sign = SIGNS.find(({ class: of, when }) => of === a.failureClass && when.test(line))
  if (sign) return sign.detail
  return a.failureClass === 'other' && a.tool.startsWith('mcp__') ? 'mcp_failure' : null
}
