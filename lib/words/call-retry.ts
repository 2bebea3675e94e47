import type { CallRetryReason, CallRetryReasons } from '../model/messages/call-retry'
import { oneLine } from '../text/visible'
import type { CallRetry, StoredCallRetry } from '../model/retry'
import { storedText, textOf, type Catalogue } from './catalogue'
import { capital, callName, callWithNumber, count, quoted, some, targetName, times } from './phrases'

const quotedLine = (text: string, charsMax: number): string => quoted(oneLine(text), charsMax)

const alikeBefore = (alike: number | null, because: string): string =>
  alike === null ? because : `${some(alike, 'attempt')} failed the same way: ${because}`

/** Why the identical call would succeed or not: clauses, which sentences about the failure take up. */
export const CALL_RETRY_WORDS: Catalogue<CallRetryReasons> = {
  same_call_worked: ({ number }) => `the same call succeeded as call ${count(number)}`,
  same_call_failed_again: ({ number }) => `the same call failed again as call ${count(number)}`,
  rejected_reason_given_before: ({ call, times: n, attempt, reason }) =>
    `a person rejected ${callName(call)} ${times(n)}, saying at attempt ${attempt} ${quoted(reason, 100)}`,
  rejected_with_reason: ({ call }) => `a person rejected ${callName(call)} and would reject it again`,
  rejected: ({ call }) =>
    `a person rejected ${callName(call)} without giving a reason and would reject it again`,
  interrupted: ({ call }) => `a person interrupted ${callName(call)}; no reason was recorded`,
  not_read_first: ({ again }) => `the file must be read ${again ? 'again ' : ''}before it is edited`,
  edit_changes_nothing: () => 'old and new text are the same, so the edit is always rejected',
  edit_no_match: () => 'the text to replace is not in the file, so the same edit cannot match',
  edit_many_matches: () => 'the same edit matches the same places again',
  // The article keeps a path from being capitalised at the start of a sentence.
  path_missing: ({ call }) =>
    `the ${call.target !== null && 'path' in call.target ? 'path' : 'target of'} ${targetName(call)} does not exist, and a retry does not create it`,
  is_folder: () => 'the path is a folder and cannot be read as a file',
  sibling_cancelled: ({ call, cause }) =>
    `${callName(call)} never ran: it was cancelled when ${cause === null ? 'a call' : callWithNumber(cause)} failed in parallel`,
  sibling_cancelled_on_target: ({ call, cause }) =>
    `${callName(call)} was cancelled when ${callWithNumber(cause)} failed on the same target, so it would fail there too`,
  result_too_large: () => 'the result is always too large for the tool',
  permission_denied: ({ call }) => `${callName(call)} is denied under the same permissions`,
  hook_blocked: ({ call }) => `the hook blocks ${callName(call)} until its condition is met`,
  invalid_input: () => 'the tool rejects this input every time',
  task_unknown: () => 'the task does not exist, so waiting or retrying changes nothing',
  agent_failed: () =>
    'the agent reported a failure without a reason, so a retry cannot be predicted from here',
  step_host_unresolved: () =>
    'a host name did not resolve: a wrong name keeps failing, a DNS outage may pass',
  step_service_busy: () => 'connection errors and busy services are often temporary',
  step_unauthorized: () => 'the service rejects the step’s credentials',
  step_request_rejected: () => 'the service rejects the request itself',
  step_no_message: () => 'there is no error message to predict a retry from',
  step_message_unclear: () => 'the error does not say if a retry would help',
  name_unknown: () => 'the name or option does not exist',
  push_behind: () => 'the remote branch has commits the local one lacks, so pushing again fails',
  arguments_too_long: () => 'the command line is too long for the system',
  connection_failed: () => 'connection errors and busy services are often temporary',
  path_ignored: () => 'git refuses to add an ignored path',
  make_target_missing: () => 'the makefile has no such target',
  program_missing: ({ program }) => `${programName(program)} was not found`,
  something_missing: () => 'something it needs is missing, and a retry does not create it',
  number_read_as_path: ({ thing }) =>
    `the program read ${quotedLine(thing, 80)} as a path, which is probably wrong (inferred)`,
  missing_after_own_cd: ({ thing, folder }) =>
    `the command changes to ${quotedLine(folder, 60)} first and looks for ${quotedLine(thing, 80)} there`,
  missing_after_earlier_cd: ({ thing, folder, number }) =>
    `${quotedLine(thing, 80)} is relative, and call ${count(number)} changed to ${quotedLine(folder, 60)}; the shell may still be there (inferred)`,
  thing_missing: ({ thing }) => `${quotedLine(thing, 80)} does not exist, and a retry does not create it`,
  system_denied: () => 'the system denies it every time',
  check_failed: ({ alike }) => alikeBefore(alike, 'a check fails until the work or the check changes'),
  program_crashed: ({ alike }) =>
    alikeBefore(alike, 'the program crashed, and the same input crashes it again'),
  failed_alike: ({ alike }) =>
    `${some(alike, 'attempt')} failed the same way, and nothing changed between them`,
  mcp_failed: () => 'it failed inside the MCP server, and the reason was not recorded',
  code_at_fault: () => 'the error points at code that must change first',
  command_failed: () => 'a command that fails on its input fails again until the input changes (inferred)',
  no_message: () => 'there is no error message to predict a retry from',
  message_unclear: () => 'the error does not say if a retry would help',
}

export const callRetryWords = (reason: CallRetryReason): string => textOf(CALL_RETRY_WORDS, reason)

export const programName = (program: string | null): string =>
  program === null ? 'the program it calls' : `the program ${quotedLine(program, 80)}`

/** A verdict on the identical call with its text of the day, as rows keep it. */
export const storedCallRetry = ({ verdict, rule, params }: CallRetry): StoredCallRetry => ({
  verdict,
  rule,
  params,
  text: sentence(callRetryWords({ id: rule, params } as CallRetryReason)),
})

/** A kept verdict in the words of today. */
export const callRetryToday = (stored: StoredCallRetry): StoredCallRetry => ({
  ...stored,
  text: sentence(storedText(CALL_RETRY_WORDS, { id: stored.rule, params: stored.params, text: stored.text })),
})

const sentence = (clause: string): string => {
  const whole = capital(clause)
  return whole.endsWith('.') ? whole : `${whole}.`
}
