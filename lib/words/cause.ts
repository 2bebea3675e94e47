import type {
  CauseMessage,
  CauseMessages,
  EarlierMessage,
  EarlierMessages,
  PatternsMissing,
} from '../model/messages/cause'
import type { Outcome } from '../model/execution'
import type { FailedCallRef } from '../model/messages/call-ref'
import { durationWords, limitWords } from './duration'
import { cutAtWord, oneLine } from '../text/visible'
import { decisionReasonText } from './decision'
import { taskFailureWords } from './failed-task'
import { CI_STEP_FAILED } from './ci'
import { failedCallsWords } from './failed-calls'
import { callName, capital, count, failedRequests, quoted, some, whatHappened, withQuote } from './phrases'
import { recordedFailureWords } from './recorded-failure'

const CAUSE_CHARS_MAX = 240
/** Room that is kept for the line about what failed before. */
const EARLIER_CHARS = 100
const QUOTE_CHARS_MIN = 24

/** A statement, and the program's own text behind it. */
interface Statement {
  readonly start: string
  /** Empty: nothing to quote. */
  readonly quote?: string
}

const name = (text: string): string => quoted(oneLine(text), 60)
const withStatus = (status: number | null): string => (status === null ? '' : ` with HTTP ${status}`)

const LIMITS: Record<CauseMessages['limit_reached']['limit'], string> = {
  turns: 'turn limit',
  budget: 'budget',
  structured_output: 'retry limit for structured output',
  other: 'limit',
}

const ENDED: Partial<Record<Outcome, string>> = {
  running: 'The run has not ended yet',
  cancelled: 'The run was cancelled',
}
const endedWords = (outcome: Outcome): string => ENDED[outcome] ?? 'Unknown how the run ended'

const after = (seconds: number | null): string => (seconds === null ? '' : ` after ${durationWords(seconds)}`)
const PRINTED = { nothing: ' It printed nothing.', no_result: ' It printed no result.' } as const

/** Where the process was stopped from outside, its output says what it was doing, not why. */
const withLastOutput = (text: string, what: keyof typeof PRINTED | null, output: string): Statement =>
  withOutput(output === '' ? text : `${text}. Last output`, what, output)

const withOutput = (text: string, what: keyof typeof PRINTED | null, output: string): Statement =>
  output === ''
    ? { start: `${text}${what === null ? '' : `.${PRINTED[what].replace(/\.$/, '')}`}` }
    : { start: text, quote: output }

function patternsWords({ patterns, missing, expected }: PatternsMissing): string {
  const more = missing - patterns.length
  const named = patterns.map((pattern) => quoted(oneLine(pattern), 80)).join(' or ')
  return `${named}${more > 0 ? ` or ${some(more, 'more pattern')}` : ''} (${expected - missing} of ${some(expected, 'expected pattern')} found)`
}

/** `short`: a line about what failed before is below. */
type Statements = {
  readonly [Id in keyof CauseMessages]: (params: CauseMessages[Id], short: boolean) => Statement
}
const openCallChars = (short: boolean): number => (short ? 34 : 90)

/** Each cause as a statement; what failed before it is a line of its own. */
const STATEMENTS: Statements = {
  agent_signal: ({ reason }) => ({
    start:
      reason === ''
        ? 'The agent declared the run failed without giving a reason'
        : 'The agent declared the run failed',
    quote: reason,
  }),
  result_unreadable: () => ({ start: 'The run ended, but its result record cannot be read' }),
  result_status_missing: () => ({ start: 'The run ended, but its result record does not say how' }),
  startup_failed: ({ error }) => ({ start: 'The run never started', quote: error }),
  session_unknown: ({ error }) => ({
    start: 'Could not resume: the session does not exist on that machine',
    quote: error,
  }),
  run_stopped: ({ error }) => ({
    start: 'The run was killed or interrupted before it finished',
    quote: error,
  }),
  request_failed: ({ status, error }) => ({
    start: `Model request failed${withStatus(status)}`,
    quote: error,
  }),
  limit_reached: ({ limit, turns, error }) => ({
    start: `The run hit its ${LIMITS[limit]}${turns === null ? '' : ` after ${some(turns, 'turn')}`}`,
    quote: error,
  }),
  stopped_by_hook: ({ error }) => ({ start: 'A hook stopped the run', quote: error }),
  tools_denied: ({ call, tool, denied, error }, short) => {
    const what = call ? callName(call, short ? 30 : undefined) : oneLine(tool ?? '<unknown>')
    const more = denied > 1 ? ` and ${some(denied - 1, 'more call')} were` : ' was'
    // A headline has no room for what the run says of itself: the line below it has.
    return {
      start: `${short ? '' : 'The run reported success, but '}${what}${more} denied${short ? '' : ' permission'}`,
      quote: error,
    }
  },
  cli_error: ({ subtype, terminalReason, error }) => ({
    start:
      subtype === null || subtype === ''
        ? 'The result record does not confirm success: it has no subtype'
        : `The run did not complete (${[subtype, ...(terminalReason ? [terminalReason] : [])].map(oneLine).join(', ')})`,
    quote: error,
  }),
  ci_step_failed: ({ inside }) => ({ start: CI_STEP_FAILED[inside] }),
  ci_step_cancelled: () => ({ start: 'The CI step was cancelled before the agent reported a result' }),
  request_failed_last: ({ status, failures, error }) => ({
    start: `The run ended on a failed model request${withStatus(status)}${failures > 1 ? ` (failure ${count(failures)} in this run)` : ''}`,
    quote: error,
  }),
  stop_failure: ({ code, error }) => ({
    start: `The run stopped on a failed model request (${oneLine(code ?? 'unknown')})`,
    quote: error,
  }),
  call_refused_last: ({ call, error }) => ({ start: failedCall(call), quote: quoteOf(call, error) }),
  interrupted: ({ when }) => ({
    start: `A person interrupted the run${
      when === 'before_calls'
        ? ' before any tool call'
        : when === 'after_message'
          ? ' after the agent’s last message'
          : when.state === 'running'
            ? ` while ${callName(when.call)} was running`
            : ` right after ${callName(when.call)} ${when.state}`
    }`,
    // The notice as the CLI writes it; the pointer lands on it.
    quote: '[Request interrupted by user]',
  }),
  prompt_unanswered: () => ({ start: 'The record ends with an unanswered prompt' }),
  receipt_outcome_unreadable: ({ call }, short) => ({
    start: `The last receipt has no readable outcome for ${callName(call, openCallChars(short))}`,
  }),
  call_unanswered: ({ call, parallel }, short) => ({
    start: `The record ends before ${callName(call, openCallChars(short))}${parallel > 0 ? ` and ${some(parallel, 'parallel call')}` : ''} returned`,
  }),
  call_failed_last: ({ call, attempts, error }) => ({
    start: `${failedCall(call)}${attempts > 1 ? ` (attempt ${count(attempts)})` : ''}`,
    quote: quoteOf(call, error),
  }),
  stop_hook: ({ prevented, error }) => ({
    start: prevented ? 'A stop hook blocked the run' : 'A stop hook failed when the run stopped',
    quote: error,
  }),
  // The error first: how many calls failed, and how the run ended, is the line below.
  failures_along_the_way: ({ counts }) => ({ start: failedCallsWords(counts, ' along the way') }),
  calls_failed: ({ call, error }) => ({ start: failedCall(call), quote: quoteOf(call, error) }),
  requests_failed: ({ requests, error }) => ({
    start: `${some(requests, 'model request')} failed along the way`,
    quote: error,
  }),
  agent_failed: ({ step, code, childId, runCompleted, error }) => {
    const how = code === null ? '' : ` (${cutAtWord(oneLine(code), 40)})`
    const start = `The agent of step ${quoted(oneLine(step), 40)} failed${how}${runCompleted ? ' in a COMPLETED run' : ' and so did the run'}`
    return {
      start: childId === null ? start : `${start}; see its own run ${cutAtWord(oneLine(childId), 40)}`,
      quote: error,
    }
  },
  agent_end_missing: ({ step }) => ({
    start: `The run is COMPLETED, but its events do not show how the agent of step ${name(step)} ended`,
  }),
  step_failed: ({ call, error }) => ({ start: failedCall(call), quote: quoteOf(call, error) }),
  no_failed_step: ({ row, error }) => ({
    start: `The run failed (${oneLine(row)}), but no step reports a failure`,
    quote: error,
  }),
  run_record_open: ({ failedTask, error }) => ({
    start:
      'The record ends mid-run: the run is in progress or it crashed' +
      (failedTask === null ? '' : `; task ${name(failedTask)} had failed`),
    quote: error,
  }),
  no_failed_task: () => ({ start: 'The run failed, but its record lists no failed task' }),
  task_failed: ({ otherTasks, error, ...task }) => ({
    start: `${taskFailureWords(task)}${otherTasks > 0 ? ` (${some(otherTasks, 'more task')} failed too)` : ''}`,
    quote: error,
  }),
  task_failed_without_record: ({ task, error }) => ({
    start: `Task ${name(task)} failed; its run’s record is missing`,
    quote: error,
  }),
  process_timed_out: ({ limitS, afterS, printed: what, lastOutput }) =>
    withLastOutput(
      `Timed out${after(afterS)}${limitS === null ? '' : ` (limit ${limitWords(limitS)})`}`,
      what,
      lastOutput,
    ),
  process_silent: ({ stalled, afterS, printed: what, lastOutput }) =>
    withLastOutput(
      `The run ${stalled ? 'stalled' : 'went silent'} and was stopped${after(afterS)}`,
      what,
      lastOutput,
    ),
  process_killed: ({ signal, afterS, printed: what, lastOutput }) =>
    withLastOutput(`Killed by ${signal}${after(afterS)}`, what, lastOutput),
  command_not_started: ({ command, exitCode, lastOutput }) =>
    withOutput(
      `The command ${quoted(command, 60)} could not be started (exit code ${exitCode})`,
      null,
      lastOutput,
    ),
  process_failed: ({ exitCode, resultComplete, printed: what, lastOutput }) =>
    withOutput(
      `Exited with code ${exitCode}${resultComplete ? ', although its result is complete' : ''}`,
      what,
      lastOutput,
    ),
  recorder_stopped: () => ({
    start: 'The recorder stopped before its command, so the outcome is unknown',
  }),
  parser_crashed: ({ why }) => ({
    start: `The output cannot be judged: AutoSkillit’s own parser crashes on it${why === null ? '' : ` (${oneLine(why)})`}`,
  }),
  patterns_missing: (params) => ({ start: `The result does not match ${patternsWords(params)}` }),
  result_blank: ({ exitZero }) => ({
    start: `The result is blank${exitZero ? ', although the process exited with code 0' : ''}`,
  }),
  marker_missing: ({ marker, lostBy, by = 'agent' }) => {
    const named = `completion marker ${quoted(marker, 60)}`
    return {
      start:
        lostBy === null
          ? `The ${by} ${by === 'agent' ? 'stopped' : 'ended'} without printing its ${named}`
          : `The result lacks the ${named}, although ${
              lostBy === 'channel_b'
                ? 'the agent’s own log shows its end (channel B)'
                : 'a result was seen in the output (channel A)'
            }: output was lost`,
    }
  },
  result_error: ({ subtype }) => ({
    start: `The result record reports an error (subtype ${oneLine(subtype)})`,
  }),
  decided: ({ reason }) => ({ start: decisionReasonText(reason).replace(/\.$/, '') }),
  recorded_failure: (params) => ({ start: recordedFailureWords(params), quote: params.detail }),
}

/** The cause on one line: the statement, and the quote cut so that both fit. */
export const causeLine = (cause: CauseMessage, charsMax = CAUSE_CHARS_MAX): string => {
  const { start, quote = '' } = statementOf(cause, charsMax < CAUSE_CHARS_MAX)
  return withQuote(start, quote, charsMax)
}

/** `short`: another line needs some of the room. */
export const statementOf = ({ id, params }: CauseMessage, short: boolean): Statement =>
  (STATEMENTS[id] as (params: unknown, short: boolean) => Statement)(params, short)

/** The line below a cause: as much of it as fits into `room` characters; empty where nothing does. */
const EARLIER: {
  readonly [Id in keyof EarlierMessages]: (params: EarlierMessages[Id], room: number) => string
} = {
  failed_before: failedBefore,
  by_records: ({ cause }, room) => {
    const line = causeLine(cause)
    return line.length > room ? '' : line
  },
  contract_broken: ({ marker, ...patterns }, room) => {
    const line =
      marker === null
        ? `Its output does not match ${patternsWords(patterns)}`
        : `Its output lacks the completion marker ${quoted(oneLine(marker), 60)}`
    return line.length > room ? '' : line
  },
}

/** The counts, then the decisive failure, then its words. */
function failedBefore(
  { requests, continued, calls, main }: EarlierMessages['failed_before'],
  room: number,
): string {
  const parts = [
    ...(requests === null
      ? []
      : [
          `${failedRequests(requests.requests, requests)} failed${continued ? ' and the run continued' : ''}`,
        ]),
    ...(calls === null ? [] : [failedCallsWords(calls)]),
  ]
  if (parts.length === 0) return ''
  const counts = `Earlier: ${parts.join('; ')}.`
  if (counts.length > room)
    return requests === null || calls === null
      ? ''
      : failedBefore({ requests: null, continued: false, calls, main }, room)
  if (main === null) return counts
  const lead = `${counts} ${(calls?.unresolved ?? 0) > 1 ? 'Main failure: ' : ''}${capital(whatHappened(main.call, 40))}`
  if (lead.length + 1 > room) return counts
  const left = room - lead.length - 2
  return main.error === '' || left < QUOTE_CHARS_MIN ? `${lead}.` : `${lead}: ${quoted(main.error, left)}`
}

export const earlierLine = (earlier: EarlierMessage, room: number): string =>
  (EARLIER[earlier.id] as (params: unknown, room: number) => string)(earlier.params, room)

/** A failed call as the subject of a sentence: the name of a tool keeps its letters. */
function failedCall(call: FailedCallRef): string {
  const text = whatHappened(call)
  return text.startsWith(callName(call)) ? text : capital(text)
}

/** The text of a refusal without words of the person is a notice of the program, which says no more. */
const quoteOf = (call: FailedCallRef, error: string): string =>
  call.failureClass === 'user_rejected' && !call.personSaid ? '' : error

/** What failed along the way, below the worst of it. */
function statistics({ outcome, counts }: CauseMessages['calls_failed']): string {
  const calls = `${failedCallsWords(counts)}.`
  // That a run ended well is beside the cause wherever it is shown.
  return outcome === 'succeeded' ? calls : `${endedWords(outcome)}; ${calls}`
}

/** The line below the statistics of a run in which nothing needs a look: the worst of what failed. */
const worstAlongTheWay = ({ call, error }: CauseMessages['failures_along_the_way'], room: number): string =>
  withQuote(failedCall(call), quoteOf(call, error), room)

/** A cause as text: its line, and below it what failed before. */
export function causeText(cause: CauseMessage, earlier: EarlierMessage | null): string {
  if (cause.id === 'calls_failed') {
    const below = statistics(cause.params)
    return `${causeLine(cause, CAUSE_CHARS_MAX - below.length - 1)}\n${below}`
  }
  if (cause.id === 'failures_along_the_way') {
    const line = causeLine(cause)
    return `${line}\n${worstAlongTheWay(cause.params, CAUSE_CHARS_MAX - line.length - 1)}`
  }
  // The failures are the reader's second question; without any the cause may have all the room.
  if (earlier === null || earlierLine(earlier, CAUSE_CHARS_MAX) === '') return causeLine(cause)
  const line = causeLine(
    cause,
    earlier.id === 'failed_before' ? CAUSE_CHARS_MAX - EARLIER_CHARS : CAUSE_CHARS_MAX,
  )
  const below = earlierLine(earlier, CAUSE_CHARS_MAX - line.length - 1)
  return cutAtWord(below === '' ? line : `${line}\n${below}`, CAUSE_CHARS_MAX)
}

/** Whether both messages are of this version, so that their text can be rendered anew. */
export const isKnownCause = (rule: string, earlier: string | null): boolean =>
  Object.hasOwn(STATEMENTS, rule) && (earlier === null || Object.hasOwn(EARLIER, earlier))
