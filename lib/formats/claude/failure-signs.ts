import type { FailureSign } from '../../model/failure-signs'

/** A phrase begins the text, or is anywhere in its first line: some messages begin with a path or a program's name. */
interface Phrase {
  sign: FailureSign
  phrase: RegExp
  place: 'start' | 'first_line'
}

/** What the fixed phrases of failure texts say. */
const PHRASES: readonly Phrase[] = [
  { sign: 'exit_code', place: 'start', phrase: /^(?:Exit code|Command failed with exit code) -?\d+/ },
  {
    sign: 'interrupted_by_user',
    place: 'start',
    phrase: /^\[?Request interrupted by user|^tool call interrupted$/,
  },
  {
    sign: 'refused_by_user',
    place: 'start',
    phrase: /^The user doesn['’]t want to (?:proceed|take this action)|^User rejected/,
  },
  {
    sign: 'parallel_call_failed',
    place: 'start',
    phrase: /^Sibling tool call errored|^Cancelled: parallel tool call/,
  },
  {
    sign: 'refused_by_hook',
    place: 'start',
    phrase: /^[A-Za-z]+:\S+ (?:\[.*?\] )?hook\b|^(?:Pre|Post)ToolUse hook\b|^Hook [A-Za-z]+:\S+ denied/,
  },
  {
    sign: 'refused_by_policy',
    place: 'start',
    phrase: /^blocked by policy:|^tool call denied by approval workflow:/,
  },
  {
    sign: 'permission_missing',
    place: 'first_line',
    phrase:
      /^Permission (?:to|for)\b.*\bdenied|^Claude requested permissions? |^This command requires approval/,
  },
  {
    sign: 'access_denied',
    place: 'first_line',
    phrase: /^(?:EACCES|EPERM)\b|was blocked\. For security/,
  },
  { sign: 'file_not_read', place: 'start', phrase: /^File has not been read yet/ },
  { sign: 'file_modified', place: 'start', phrase: /^File has been (?:unexpectedly )?modified/ },
  { sign: 'modified_since_read', place: 'first_line', phrase: /modified since (?:it was last )?read/ },
  { sign: 'many_matches', place: 'start', phrase: /^Found \d+ matches of the string to replace/ },
  { sign: 'no_match', place: 'start', phrase: /^String (?:to replace )?not found/ },
  { sign: 'nothing_to_change', place: 'start', phrase: /^No changes to make: old_string and new_string/ },
  {
    sign: 'over_limit',
    place: 'first_line',
    phrase: /exceeds (?:the )?(?:max(?:imum)? )?(?:allowed )?(?:size|tokens|length)\b/,
  },
  { sign: 'is_folder', place: 'first_line', phrase: /^EISDIR\b|: EISDIR\b|\bis a directory$/i },
  {
    sign: 'path_missing',
    place: 'first_line',
    phrase: /^(?:File|Path|Directory|Folder|Notebook(?: file)?) does not exist|(?:^|: )ENOENT\b/,
  },
  { sign: 'no_such_file', place: 'first_line', phrase: /\bno such file or directory\b/i },
  { sign: 'input_invalid', place: 'start', phrase: /^InputValidationError\b/ },
  { sign: 'task_unknown', place: 'start', phrase: /^No task found with ID/ },
]

const SHELLS = new Set(['Bash', 'PowerShell', 'KillShell', 'BashOutput'])

/** Whether a failure text of the tool is free output of a shell, which can contain any phrase by chance. */
export const isFreeOutput = (tool: string | null): boolean => SHELLS.has(tool ?? '')

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
 * Every sign that the text of a failed call has, in the order of the list; a text without one has none.
 *
 * @param text failure text as it is in the record; the wrapping tags may be there
 * @see docs/sources/cause.md#failure-classes
 */
export function failureSigns(text: string): FailureSign[] {
  const bare = bareText(text.slice(0, 4_000))
  const firstLine = bare.slice(0, 1_000).split(/\r?\n/, 1)[0]!.trimEnd()
  return PHRASES.filter(({ phrase, place }) => phrase.test(place === 'start' ? bare : firstLine)).map(
    ({ sign }) => sign,
  )
}
