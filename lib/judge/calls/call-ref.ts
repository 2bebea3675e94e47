import type { CallRef, CallTarget, FailedCallRef } from '../../model/messages/call-ref'
import { decisiveLine } from '../../text/decisive-line'
import { oneLine, withoutAnsi } from '../../text/visible'
import { messageText } from '../message-text'
import { failureDetail } from './failure-detail'
import type { WorkedCall } from './merge-calls'

const looksLikePath = (target: string): boolean => /^(?:[A-Za-z]:)?[\\/~.]/.test(target) && !/\s/.test(target)

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

function targetOf({ target, looseTarget }: Pick<WorkedCall, 'target' | 'looseTarget'>): CallTarget | null {
  if (target === null || target.trim() === '') return null
  if (looksLikePath(target)) return { path: messageText(target) }
  // A heredoc or a script: its first line names it.
  const lines = (looseTarget === null ? target : withoutPreparation(target))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  // A long path in front of the program's name would push out the arguments of the program.
  const first = (lines[0] ?? '')
    .replace(/\s*\\$/, '')
    .replace(looseTarget === null ? /(?!)/ : /^[^\s"']{20,}\/(?=[^/\s])/, '')
  return { line: messageText(first), more: lines.length > 1 }
}

/** The call as messages name it. */
export const callRef = (a: Pick<WorkedCall, 'tool' | 'target' | 'looseTarget' | 'ordinal'>): CallRef => ({
  tool: a.tool,
  target: targetOf(a),
  number: a.ordinal + 1,
})

const SAID_BY_PERSON = /the user said:\s*\n/

/** Whether a refusal carries words that the person typed. */
export const personSaid = ({ errorText }: Pick<WorkedCall, 'errorText'>): boolean =>
  SAID_BY_PERSON.test(errorText ?? '')

/** A failed call as messages name it. */
export const failedCallRef = (a: WorkedCall): FailedCallRef => ({
  ...callRef(a),
  failureClass: a.failureClass,
  detail: failureDetail(a),
  exitCode: a.exitCode,
  isCommand: a.looseTarget !== null,
  personSaid: personSaid(a),
})

/** The line of a text that says why, on one line and without colours; empty for an empty text. */
export const lineOf = (text: string): string => oneLine(withoutAnsi(decisiveLine(text)?.text ?? ''))

/** The words of the record that say why a call failed; empty when it holds none. */
export const decisiveText = (a: WorkedCall): string =>
  a.decisive ? oneLine(withoutAnsi(a.decisive.text)) : lineOf(a.errorText ?? '')
