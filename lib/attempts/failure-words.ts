import { unwrapFailure } from './failure-class'

interface Wording {
  class: string
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
  { class: 'other', when: /^Unknown skill\b/i, words: 'unknown skill' },
  { class: 'other', when: /^(?:Unknown slash command\b|.*\bcommand not found$)/i, words: 'unknown command' },
  { class: 'other', when: /^Agent type '[^']*' not found\b/, words: 'unknown agent type' },
  { class: 'other', when: /^(?:No such tool available|Unknown tool)\b/i, words: 'unknown tool' },
]

/** First line of a failure text without its tags, the part that says what kind of failure it is. */
const firstLineOf = (text: string): string => unwrapFailure(text.slice(0, 1_000)).replace(/^Error: (?=\S)/, '').split(/\r?\n/, 1)[0]!.trim()

/**
 * What a failed call's own message says more exactly than its class does, in two or three words; `null` when the class says all that is
 * known.
 *
 * @see docs/sources.md#failure-classes
 */
export function exactWords(a: { tool: string; failureClass: string | null; errorText: string | null }): string | null {
  const line = firstLineOf(a.errorText ?? '')
  const found = WORDINGS.find((w) => w.class === a.failureClass && w.when.test(line))
  if (found) return found.words
  return a.failureClass === 'other' && a.tool.startsWith('mcp__') ? 'failed in the tool server' : null
}
