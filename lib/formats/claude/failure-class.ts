import type { FailureClass } from '../../model/execution'

/** A phrase stands at the start of the text unless its rule says otherwise. */
interface Rule {
  class: FailureClass
  phrase: RegExp
  /** The phrase may stand anywhere in the first line: for messages that begin with a path or a program's name. */
  firstLine?: true
  /** Free output of a shell may hold this phrase by chance: the rule is not asked for shells. */
  notInShell?: true
}

/**
 * In the order of their asking. The exit code comes first: output of commands often contains the phrases of other classes,
 * and a search anywhere in the text would invent time-outs and missing files.
 */
const RULES: readonly Rule[] = [
  { class: 'exit_code', phrase: /^(?:Exit code|Command failed with exit code) -?\d+/ },
  { class: 'interrupted', phrase: /^\[?Request interrupted by user|^tool call interrupted$/ },
  {
    class: 'user_rejected',
    phrase: /^The user doesn['’]t want to (?:proceed|take this action)|^User rejected/,
  },
  { class: 'sibling_cancelled', phrase: /^Sibling tool call errored|^Cancelled: parallel tool call/ },
  {
    class: 'hook',
    phrase: /^[A-Za-z]+:\S+ (?:\[.*?\] )?hook\b|^(?:Pre|Post)ToolUse hook\b|^Hook [A-Za-z]+:\S+ denied/,
  },
  { class: 'permission_denied', phrase: /^blocked by policy:|^tool call denied by approval workflow:/ },
  {
    class: 'permission_denied',
    phrase: /^Permission (?:to|for)\b.*\bdenied|^Claude requested permissions? /,
    firstLine: true,
  },
  {
    class: 'permission_denied',
    phrase: /^This command requires approval|^(?:EACCES|EPERM)\b|was blocked\. For security/,
    firstLine: true,
  },
  { class: 'not_read_first', phrase: /^File has (?:not been read yet|been (?:unexpectedly )?modified)/ },
  {
    class: 'not_read_first',
    phrase: /modified since (?:it was last )?read/,
    firstLine: true,
    notInShell: true,
  },
  { class: 'edit_multi_match', phrase: /^Found \d+ matches of the string to replace/ },
  {
    class: 'edit_no_match',
    phrase: /^String (?:to replace )?not found|^No changes to make: old_string and new_string/,
  },
  {
    class: 'too_large',
    phrase: /exceeds (?:the )?(?:max(?:imum)? )?(?:allowed )?(?:size|tokens|length)\b/,
    firstLine: true,
    notInShell: true,
  },
  { class: 'is_dir', phrase: /^EISDIR\b|: EISDIR\b|\bis a directory$/i, firstLine: true },
  {
    class: 'file_missing',
    phrase: /^(?:File|Path|Directory|Folder|Notebook(?: file)?) does not exist|(?:^|: )ENOENT\b/,
    firstLine: true,
  },
  { class: 'file_missing', phrase: /\bno such file or directory\b/i, firstLine: true },
  { class: 'input_validation', phrase: /^InputValidationError\b/ },
  { class: 'task_output', phrase: /^No task found with ID/ },
]

const SHELLS = new Set(['Bash', 'PowerShell', 'KillShell', 'BashOutput'])
const OPEN = '<tool_use_error>'
const CLOSE = '</tool_use_error>'

/** Takes the `<tool_use_error>` tags off a failure text and the blanks around it; the closing one may have been cut off. */
export function unwrapFailure(text: string): string {
  const bare = text.trim()
  if (!bare.startsWith(OPEN)) return bare
  return bare.slice(OPEN.length, bare.endsWith(CLOSE) ? -CLOSE.length : undefined).trim()
}

/** The copy of the text beside a result says "Error: " in front; only free text of a tool may mean it. */
const bareText = (text: string): string => unwrapFailure(text).replace(/^Error: (?=\S)/, '')

/** Exit code at the start of a failure text, when there is one: transcripts hold it nowhere else. */
export function exitCodeOf(text: string): number | undefined {
  const match = /^(?:Exit code|Command failed with exit code) (-?\d{1,9})(?!\d)/.exec(
    bareText(text.slice(0, 200)),
  )
  return match ? Number(match[1]) : undefined
}

/**
 * Sorts the text of a failed call into the closed list of classes by fixed phrases, nearly all of them at the start of the text.
 * What no phrase fits is `other`: never a guess.
 *
 * @param text     failure text as it stands in the record; the wrapping tags may be there
 * @param toolName tool that failed, when known: some phrases are no evidence in the output of a shell
 * @see docs/sources/cause.md#failure-classes
 */
export function classifyFailure(text: string, toolName?: string | null): FailureClass {
  const bare = bareText(text.slice(0, 4_000))
  const firstLine = bare.slice(0, 1_000).split(/\r?\n/, 1)[0]!.trimEnd()
  const inShell = SHELLS.has(toolName ?? '')
  for (const rule of RULES) {
    if (rule.notInShell && inShell) continue
    if (rule.phrase.test(rule.firstLine ? firstLine : bare)) return rule.class
  }
  return 'other'
}
