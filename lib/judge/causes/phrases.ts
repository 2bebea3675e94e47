import { exactWords } from '../../words/failures'
import { decisiveLine } from '../../text/decisive-line'
import { cutAtWord, oneLine, visible, withoutAnsi } from '../../text/visible'
import type { WorkedCall } from '../calls/merge-calls'

/** `mcp__linear-server__create_comment` → `linear-server create_comment`; other names as they are. */
export const toolName = (tool: string): string => {
  const match = /^mcp__(.+?)__(.+)$/.exec(tool)
  return oneLine(match ? `${match[1]} ${match[2]}` : tool)
}

const looksLikePath = (target: string): boolean => /^(?:[A-Za-z]:)?[\\/~.]/.test(target) && !/\s/.test(target)

/** The end of a path says more than its beginning: the last two names. */
const pathTail = (path: string): string => {
  const names = path.split(/[\\/]/).filter((n) => n !== '')
  return names.length <= 2 ? path : names.slice(-2).join('/')
}

const PREPARATION = /^(?:(?:cd|pushd|source|export|set)\s[^;&|\n]*(?:&&|;|\n)(?:\s*\\\n)?\s*)+/

/** A command without the changes of folder and the settings in front, which would hide what it does; whole when there is nothing else. */
export const withoutPreparation = (command: string): string => {
  // `git -C folder` is a change of folder too.
  const bare = command
    .trim()
    .replace(PREPARATION, '')
    .replace(/^git -C (?:"[^"\n]*"|'[^'\n]*'|\S+) +(?=\S)/, 'git ')
  return bare === '' ? command.trim() : bare
}

/** The call in the reader's words: `Edit on cli/go.mod`, `Bash “mise run lint”`, `TodoWrite`. */
export function callName(
  a: Pick<WorkedCall, 'tool' | 'target' | 'looseTarget'>,
  targetCharsMax = 56,
): string {
  const name = toolName(a.tool)
  if (a.target === null || a.target.trim() === '') return name
  if (looksLikePath(a.target)) return `${name} on ${cutAtWord(oneLine(pathTail(a.target)), targetCharsMax)}`
  // A heredoc or a script: its first line names it.
  const shown = a.looseTarget === null ? a.target : withoutPreparation(a.target)
  const lines = shown
    .split('\n')
    .map((l) => l.trim())
    .filter((l) => l !== '')
  // A long path in front of the program's name would push out what the program was told to do.
  const first = (lines[0] ?? '')
    .replace(/\s*\\$/, '')
    .replace(a.looseTarget === null ? /(?!)/ : /^[^\s"']{20,}\/(?=[^/\s])/, '')
  const text = cutAtWord(oneLine(first), targetCharsMax)
  return `${name} “${lines.length > 1 && !text.endsWith('…') ? `${text} …` : text}”`
}

/**
 * Where more may be known of a call that only receipts tell of. Its id may be the receipt's own, which no other record knows: then its time
 * is what finds it.
 */
export const otherRecordsOf = ({ callId }: Pick<WorkedCall, 'callId'>): string =>
  `the session's transcript or the agent's log (call ID ${quoted(oneLine(callId), 80)}, or by time)`

/** What the call works on in a few words, for the middle of a sentence: the end of the path, else the call itself. */
export const targetName = (a: Pick<WorkedCall, 'tool' | 'target' | 'looseTarget'>): string =>
  a.target !== null && looksLikePath(a.target) ? cutAtWord(oneLine(pathTail(a.target)), 80) : callName(a)

/** The words of the record that say why a call failed; empty when it holds none. */
export function decisiveText(a: WorkedCall): string {
  const line = a.decisive?.text ?? decisiveLine(a.errorText ?? '')?.text ?? ''
  return oneLine(withoutAnsi(line))
}

/** The line of a text that says why, on one line and without colours. */
export const lineOf = (text: string): string => oneLine(withoutAnsi(decisiveLine(text)?.text ?? ''))

/** A quote with its marks, at most `charsMax` long; nothing for nothing. */
export const quoted = (text: string, charsMax: number): string =>
  text === '' ? '' : `“${cutAtWord(visible(text), Math.max(charsMax - 2, 12))}”`

const SAID_BY_PERSON = /the user said:\s*\n/

/** Whether a refusal carries words that the person typed. */
export const personSaid = (a: WorkedCall): boolean => SAID_BY_PERSON.test(a.errorText ?? '')

const EXACTLY: Record<string, string> = {
  'nothing to change': 'had nothing to change: old and new text are the same',
  'changed since reading': 'was rejected: the file changed after it was read',
  'unknown skill': 'asked for an unknown skill',
  'unknown agent type': 'asked for an unknown agent type',
  'unknown tool': 'is an unknown tool',
  'unknown command': 'called an unknown command',
}

/** What happened to a failed call, without the quote; the start of a sentence or of its second half. */
export function whatHappened(a: WorkedCall, targetCharsMax = 56): string {
  const call = callName(a, targetCharsMax)
  const exact = EXACTLY[exactWords(a) ?? '']
  if (exact) return `${call} ${exact}`
  switch (a.failureClass) {
    case 'exit_code':
      return `${call} exited with ${a.exitCode === null ? 'an error code' : `code ${a.exitCode}`}`
    case 'not_read_first':
      return `${call} was rejected: the file had not been read`
    case 'user_rejected':
      return personSaid(a) ? `a person rejected ${call} and said` : `a person rejected ${call}`
    case 'file_missing':
      return a.looseTarget === null ? `${call} found nothing there` : `${call} failed`
    case 'sibling_cancelled':
      return `${call} was cancelled when a parallel call failed`
    case 'edit_no_match':
      return `${call} did not find the text to replace`
    case 'edit_multi_match':
      return `${call} matched several places`
    case 'too_large':
      return `${call} was too large`
    case 'permission_denied':
      return `${call} was denied permission`
    case 'hook':
      return `a hook blocked ${call}`
    case 'is_dir':
      return `${call} hit a folder where a file was expected`
    case 'input_validation':
      return `${call} got invalid input`
    case 'task_output':
      return `${call} asked for an unknown task`
    case 'interrupted':
      return `a person interrupted ${call}`
    case 'agent_failure':
      return `the agent of ${call} failed`
    default:
      return `${call} failed`
  }
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const grouped = new Intl.NumberFormat('en')

/** `12`, `3,000`: as numbers are written beside the sentences. */
export const count = (n: number): string => grouped.format(n)

/** `1 call`, `3 calls`, `3,000 calls`. */
export const some = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`
