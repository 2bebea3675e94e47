import type { RunResultFact } from '../ingest/normal-form'
import { decisiveLine } from '../text/decisive-line'
import { cutAtWord, oneLine, withoutAnsi } from '../text/visible'
import type { Ending } from './ending'
import { focusOn, type ChainsRead, type Focus, type Work } from './focus'
import type { WorkedAttempt } from './merge-calls'
import { pointerTo, type Place } from './merge-streams'
import type { Judgement } from './outcome'
import { callName, capital, decisiveText, inWords, quoted, some, whatHappened } from './phrases'
import type { Cause, Pointer } from './types'

/**
 * The closed list of causes. Each source maps its own words to it (docs/sources.md#cause).
 */
export const CAUSE_CATEGORIES = [
  'agent_signal',      // the agent itself declared the run failed
  'api_error',         // a model request failed for good
  'limit',             // turns, budget or another limit of the run
  'startup',           // the run never started
  'cli_error',         // the CLI reports an error of its own
  'permission_denied', // tools were refused by the permission mode
  'interruption',      // a person stopped it, or refused a call and it ended there
  'cut_off',           // the record ends in the middle
  'tool_failure',      // the run ended on a failed call
  'hook_stop',         // a hook stopped it
  'call_failures',     // the run ended well, calls failed on the way
  'result_unreadable', // it ended, the record of how is broken
] as const
export type CauseCategory = (typeof CAUSE_CATEGORIES)[number]

export const CAUSE_CHARS_MAX = 240

/** What the cause is made from. */
export interface CauseInput {
  judgement: Judgement
  result: { place: Place; fact: RunResultFact } | null
  ending: Ending | null
  work: Work
  read: ChainsRead
  apiErrors: { place: Place; text: string; span: { start: number; end: number; jsonPointer?: string } }[]
}

/** A cause with the failure it speaks about, which the advice goes on from. */
export interface CauseFound {
  cause: Cause & { category: CauseCategory }
  focus: Focus | null
}

/** `start: “quote”`, the quote cut so that the whole fits. */
const sentence = (start: string, quote: string, end = ''): string => {
  const head = cutAtWord(start, CAUSE_CHARS_MAX - 60)
  const room = CAUSE_CHARS_MAX - head.length - end.length - 2
  return `${head}${quote === '' ? '' : `: ${quoted(quote, room)}`}${end}`
}

const found = (category: CauseCategory, text: string, pointer: Pointer | null, focus: Focus | null = null): CauseFound => ({
  cause: { text: cutAtWord(text, CAUSE_CHARS_MAX), category, pointer },
  focus,
})

const lineOf = (text: string): string => oneLine(withoutAnsi(decisiveLine(text)?.text ?? ''))

/** Where the words of a failed call stand: exactly the decisive line when the adapter noted it, else the whole failure text. */
const pointerOf = (a: WorkedAttempt): Pointer | null => a.decisive?.pointer ?? a.resultPointer ?? a.callPointer

/** The one sentence for a run, with the failure behind it; null when nothing failed. */
export function findCause(input: CauseInput): CauseFound | null {
  return input.judgement.basis === 'recorded' && input.result ? causeOfResult(input, input.result) : causeOfEnding(input)
}

/** ` (HTTP 500)` when the text of a failed request names its status. */
const statusOf = (text: string): string => {
  const status = /\b(?:API Error|HTTP|status)\D{0,3}([45]\d\d)\b/i.exec(text)?.[1]
  return status === undefined ? '' : ` (HTTP ${status})`
}

/** Beside a run-level cause: what failed inside before it. */
const before = ({ work: { attempts }, apiErrors, judgement }: CauseInput): string => {
  const failed = attempts.filter((a) => a.state === 'failed').length
  const requests = judgement.rule === 'api_error_last' || judgement.rule === 'api_failure' ? 0 : apiErrors.length
  const parts = [
    ...(failed === 0 ? [] : [`${failed} of ${some(attempts.length, 'call')}`]),
    ...(requests === 0 ? [] : [`${some(requests, 'model request')}${statusOf(apiErrors.at(-1)!.text)}`]),
  ]
  return parts.length === 0 ? '' : `; before that ${parts.join(' and ')} failed`
}

function causeOfResult(input: CauseInput, { place, fact }: { place: Place; fact: RunResultFact }): CauseFound | null {
  const pointer = pointerTo(place, fact.span)
  const error = oneLine(fact.errors[0] ?? fact.result ?? '')
  switch (input.judgement.rule) {
    case 'agent_signal': {
      const reason = oneLine(fact.signal?.reason ?? '')
      return found('agent_signal', sentence(reason === '' ? 'The agent declared the run failed without giving a reason' : 'The agent declared the run failed', reason), pointer)
    }
    case 'result_unreadable':
      return found('result_unreadable', 'The run ended, but its result record cannot be read: nothing is known about how it ended', pointer)
    case 'startup_failure':
      return found('startup', sentence('The run never started', oneLine(fact.startupFailureReason ?? error)), pointer)
    case 'resume_unknown_session':
      return found('startup', sentence('The run could not resume: the session to go on from is not known on that machine', error), pointer)
    case 'killed':
    case 'aborted':
      return found('interruption', sentence('The run was killed or interrupted before it could finish', error, before(input)), pointer)
    case 'api_failure': {
      const status = fact.apiErrorStatus === null ? '' : ` with HTTP ${fact.apiErrorStatus}`
      return found('api_error', sentence(`A request to the model failed for good${status}`, lineOf(fact.result ?? error), before(input)), pointer)
    }
    case 'limit_reached':
      return found('limit', sentence(`The run was cut by its ${limitName(fact)}${fact.numTurns === null ? '' : ` after ${some(fact.numTurns, 'turn')}`}`, error, before(input)), pointer)
    case 'hook_stopped':
      return found('hook_stop', sentence('A hook stopped the run', error, before(input)), pointer)
    case 'permission_denied': {
      const denied = fact.permissionDenials.map((d) => (d.callId === null ? undefined : input.work.byId.get(d.callId))).find((a) => a !== undefined)
      const tools = fact.permissionDenials.map((d) => oneLine(d.tool ?? '<unknown>'))
      const what = denied ? callName(denied) : tools[0]!
      const more = tools.length > 1 ? ` and ${some(tools.length - 1, 'more call')}` : ''
      const focus = denied?.state === 'failed' ? focusOn(denied, input.work) : null
      return found('permission_denied', sentence(`The run reports success, but ${what}${more} had been refused permission`, focus ? decisiveText(focus.attempt) : ''), focus ? pointerOf(focus.attempt) : pointer, focus)
    }
    case 'cli_status':
      // Without a word of an error the final text is what the agent said, not why the verdict is what it is.
      return found('cli_error', sentence(cliWords(fact), oneLine(fact.errors[0] ?? (fact.isError === true ? (fact.result ?? '') : '')), before(input)), pointer)
    default:
      return causeOnTheWay(input)
  }
}

const cliWords = ({ subtype, terminalReason }: RunResultFact): string =>
  subtype === null || subtype === ''
    ? 'The result record does not say that the run succeeded: it has no subtype'
    : `The run did not complete well (${[subtype, ...(terminalReason ? [terminalReason] : [])].map(oneLine).join(', ')})`

const limitName = (fact: RunResultFact): string => {
  const name = `${fact.subtype ?? ''} ${fact.terminalReason ?? ''}`
  if (/turn/i.test(name)) return 'turn limit'
  if (/budget/i.test(name)) return 'budget'
  if (/structured/i.test(name)) return 'limit of tries for structured output'
  return 'limit'
}

function causeOfEnding(input: CauseInput): CauseFound | null {
  const { judgement, ending } = input
  const ofCall = (a: WorkedAttempt): Focus => focusOn(a, input.work)
  switch (judgement.rule) {
    case 'api_error_last': {
      const { place, apiError } = ending!.lastAssistant!
      const status = apiError!.status === null ? '' : ` with HTTP ${apiError!.status}`
      const times = input.apiErrors.length > 1 ? ` (failure ${input.apiErrors.length} in this run)` : ''
      return found('api_error', sentence(`The run ended on a request to the model that failed${status}${times}`, lineOf(apiError!.text), before(input)), pointerTo(place, apiError!.span))
    }
    case 'stop_failure': {
      const { place, fact } = ending!.ended!
      const told = ending!.lastAssistant?.place === place ? ending!.lastAssistant.apiError : undefined
      const text = sentence(`The run stopped on a failed request to the model (${oneLine(fact.error ?? 'unknown')})`, lineOf(told?.text ?? ''))
      return found('api_error', text, told ? pointerTo(place, told.span) : wholeOf(place))
    }
    case 'interrupted_last': {
      const { place, interruption } = ending!.lastUser!
      const pointer = interruption ? pointerTo(place, interruption.span) : null
      const refused = refusedLast(ending!, input.work.byId)
      if (refused) return found('interruption', sentence(`The run ended there: ${whatHappened(refused)}`, decisiveText(refused)), pointerOf(refused), ofCall(refused))
      return found('interruption', sentence(`A person interrupted the run${afterLastCall(ending!)}${before(input)}`, INTERRUPTED), pointer)
    }
    case 'unanswered_prompt':
      return found('cut_off', `The record ends with a prompt that nothing answered${before(input)}`, ending!.lastUser ? wholeOf(ending!.lastUser.place) : null)
    case 'call_without_result': {
      const open = ending!.openCalls
      const more = open.length > 1 ? ` and ${some(open.length - 1, 'call')} beside it` : ''
      const text = `The record ends while ${callName(open[0]!, 90)}${more} had no result yet: cut off there, neither success nor failure${before(input)}`
      return found('cut_off', text, open[0]!.callPointer, null)
    }
    case 'failed_call_last': {
      const last = ending!.lastCall!
      const focus = ofCall(last)
      const tries = focus.tries > 1 ? `, try ${focus.tries} of the same` : ''
      return found('tool_failure', sentence(`The run ended on a failed call${tries}: ${whatHappened(last)}`, decisiveText(last)), pointerOf(last), focus)
    }
    case 'stopped_by_hook': {
      const { place, fact } = ending!.hookStop!
      return found('hook_stop', sentence(fact.prevented ? 'A stop hook kept the run from going on' : 'A stop hook failed when the run stopped', oneLine(fact.errors[0] ?? fact.reason ?? '')), pointerTo(place, fact.span))
    }
    case 'signal_in_last_text': {
      const { place, fact } = ending!.finalSaid!
      const reason = oneLine(fact.signal?.reason ?? '')
      return found('agent_signal', sentence(reason === '' ? 'The agent declared the run failed without giving a reason' : 'The agent declared the run failed', reason), pointerTo(place, fact.span))
    }
    case 'no_activity':
    case 'stop_seen':
    case 'completed':
      return causeOnTheWay(input)
    default:
      return causeOnTheWay(input)
  }
}

/** The notice as the CLI writes it; the pointer lands on it. */
const INTERRUPTED = '[Request interrupted by user]'

const wholeOf = (place: Place): Pointer => ({ received: place.received, byteStart: place.keptStart, byteEnd: place.keptEnd })

/** The refused or interrupted call that an interruption belongs to, when it directly follows it. */
const refusedLast = (ending: Ending, byId: ReadonlyMap<string, WorkedAttempt>): WorkedAttempt | null => {
  const last = ending.lastCall
  if (!last || ending.textAfterCalls) return null
  const first = last.attachedTo?.callId ? byId.get(last.attachedTo.callId) : undefined
  const refused = first ?? last
  return refused.failureClass === 'user_rejected' || refused.failureClass === 'interrupted' ? refused : null
}

const afterLastCall = (ending: Ending): string => {
  const last = ending.lastCall
  if (!last || ending.textAfterCalls) return last ? ' after the agent had spoken' : ' before it had called a tool'
  return last.state === 'no_result' ? ` while ${callName(last)} was running` : ` right after ${callName(last)} had ${last.state}`
}

/** The run ended well, or nothing is known about its end: what failed on the way. */
function causeOnTheWay(input: CauseInput): CauseFound | null {
  const { work: { attempts }, read } = input
  const failed = attempts.filter((a) => a.state === 'failed').length
  const ended = input.judgement.outcome === 'succeeded' ? 'The run ended normally' : 'How the run ended is not known'
  if (failed === 0) {
    const last = input.apiErrors.at(-1)
    if (!last) return null
    return found('api_error', sentence(`${ended}; ${some(input.apiErrors.length, 'request')} to the model failed on the way, the last one`, lineOf(last.text)), pointerTo(last.place, last.span))
  }
  const { telling } = read
  if (!telling) return null
  const pieces = read.open.length + read.otherwise.length + read.recovered.length
  // That a run ended well stands beside the sentence wherever it is shown; in a list each word in front hides one of the reason.
  const start = `${input.judgement.outcome === 'succeeded' ? '' : `${ended}; `}${failed} of ${some(attempts.length, 'call')} failed`
  const what = whatHappened(telling.attempt, 44)
  let middle: string
  if (read.open.length > 0) {
    middle = pieces === 1 ? (telling.tries > 1 ? ', all tries of the same, never repeated with success' : ' and was never repeated with success') : read.open.length === failed ? ' and none was ever repeated with success' : `, ${inWords(read.open.length)} of them never repeated with success`
    // Several tries of one target are one piece of work: the numbers must not seem to contradict each other.
    if (pieces > 1 && failed !== pieces) middle = ` on ${inWords(pieces)} targets, ${read.open.length === pieces ? 'none' : `${inWords(read.open.length)} of them never`}${read.open.length === pieces ? ' of them' : ''} with success later`
  } else if (read.otherwise.length > 0) middle = pieces === 1 ? '; it was done another way later' : '; all were repeated with success or done another way'
  else middle = pieces === 1 && failed === 1 ? '; it was repeated with success' : '; all were repeated with success'
  const lead = read.open.length > 1 ? ' Above all: ' : ' '
  return found('call_failures', sentence(`${start}${middle}.${lead}${capital(what)}`, decisiveText(telling.attempt)), pointerOf(telling.attempt), telling)
}
