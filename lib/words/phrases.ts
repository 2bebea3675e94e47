import type { CallRef, FailedCallRef } from '../model/messages/call-ref'
import type { FailureDetail } from '../model/failure-details'
import { cutAtWord, oneLine, visible } from '../text/visible'

/** `mcp__linear-server__create_comment` → `linear-server create_comment`; other names as they are. */
export const toolName = (tool: string): string => {
  const match = /^mcp__(.+?)__(.+)$/.exec(tool)
  return oneLine(match ? `${match[1]} ${match[2]}` : tool)
}

/** The end of a path says more than its beginning: the last two names. */
const pathTail = (path: string): string => {
  const names = path.split(/[\\/]/).filter((n) => n !== '')
  return names.length <= 2 ? path : names.slice(-2).join('/')
}

/** The call in the reader's words: `Edit on cli/go.mod`, `Bash “mise run lint”`, `TodoWrite`. */
export function callName({ tool, target }: Pick<CallRef, 'tool' | 'target'>, targetCharsMax = 56): string {
  const name = toolName(tool)
  if (target === null) return name
  if ('path' in target) return `${name} on ${cutAtWord(oneLine(pathTail(target.path)), targetCharsMax)}`
  const text = cutAtWord(oneLine(target.line), targetCharsMax)
  return `${name} “${target.more && !text.endsWith('…') ? `${text} …` : text}”`
}

/** What the call works on in a few words, for the middle of a sentence: the end of the path, else the call itself. */
export const targetName = (call: Pick<CallRef, 'tool' | 'target'>): string =>
  call.target !== null && 'path' in call.target
    ? cutAtWord(oneLine(pathTail(call.target.path)), 80)
    : callName(call)

/** `Bash “make” (call 7)`. */
export const callWithNumber = (call: CallRef): string => `${callName(call)} (call ${count(call.number)})`

/**
 * Where more may be known of a call that only receipts tell of. Its id may be the receipt's own, which no other record
 * knows: then its time is what finds it.
 */
export const otherRecords = (callId: string): string =>
  `the session's transcript or the agent's log (call ID ${quoted(oneLine(callId), 80)}, or by time)`

/** A quote with its marks, at most `charsMax` long; nothing for nothing. */
export const quoted = (text: string, charsMax: number): string =>
  text === '' ? '' : `“${cutAtWord(visible(text), Math.max(charsMax - 2, 12))}”`

/** `start: “quote”`, the quote cut so that the whole fits. */
export const withQuote = (start: string, quote: string, charsMax: number): string => {
  const head = cutAtWord(
    start,
    quote === '' ? charsMax : Math.max(charsMax - Math.min(quote.length + 4, 60), 60),
  )
  const room = charsMax - head.length - 2
  return quote === '' || room < 14 ? head : `${head}: ${quoted(quote, room)}`
}

const EXACTLY: Partial<Record<FailureDetail, string>> = {
  nothing_to_change: 'had nothing to change: old and new text are the same',
  changed_since_read: 'was rejected: the file changed after it was read',
  unknown_skill: 'asked for an unknown skill',
  unknown_agent_type: 'asked for an unknown agent type',
  unknown_tool: 'is an unknown tool',
  unknown_command: 'called an unknown command',
}

/** A command as it was typed, without the folder it changes to first: `npm test`; other calls by their name. */
export function commandOrName(call: FailedCallRef, charsMax: number): string {
  if (!call.isCommand || call.target === null || 'path' in call.target) return callName(call, charsMax)
  const command = oneLine(call.target.line).replace(LEADING_CD, '')
  const text = cutAtWord(command, charsMax)
  return call.target.more && !text.endsWith('…') ? `${text} …` : text
}
const LEADING_CD = /^cd (?:"[^"]*"|'[^']*'|\S+) *&& *(?=\S)/

type NameOf = (call: FailedCallRef, charsMax: number) => string

/** What happened to a failed call, without the quote; the start of a sentence or of its second half. */
export function whatHappened(failed: FailedCallRef, targetCharsMax = 56, nameOf: NameOf = callName): string {
  const call = nameOf(failed, targetCharsMax)
  const exact = failed.detail && EXACTLY[failed.detail]
  if (exact) return `${call} ${exact}`
  switch (failed.failureClass) {
    case 'exit_code':
      return `${call} exited with ${failed.exitCode === null ? 'an error code' : `code ${failed.exitCode}`}`
    case 'not_read_first':
      return `${call} was rejected: the file had not been read`
    case 'user_rejected':
      return failed.personSaid ? `a person rejected ${call} and said` : `a person rejected ${call}`
    case 'file_missing':
      return failed.isCommand ? `${call} failed` : `${call} found nothing there`
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

/** `once`, `twice`, `3 times`. */
export const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${count(n)} times`)

/** `7 model requests (HTTP 500, “Internal server error”)`; only what all of them have in common is named. */
export function failedRequests(
  requests: number,
  { status, error }: { status: string | null; error: string | null },
): string {
  const common = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(error === null ? [] : [quoted(error, 60)]),
  ]
  return `${some(requests, 'model request')}${common.length === 0 ? '' : ` (${common.join(', ')})`}`
}
