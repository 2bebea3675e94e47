import { oneLine } from '../../text/visible'
import { found, pointerOf, sentence, withEarlier, type CauseFound, type CauseInput } from './cause-found'
import type { Ending } from '../outcomes/ending'
import { focusOn, type Focus } from './focus'
import type { WorkedCall } from '../calls/merge-calls'
import { pointerTo, type Place } from '../calls/merge-streams'
import { countsPhrase } from './on-the-way'
import { causeOfPipeline } from './pipeline-cause'
import { causeOfRun } from './run-cause'
import { callName, capital, count, decisiveText, lineOf, some, whatHappened } from './phrases'
import type { Pointer } from '../../model/execution'
import type { RunResultFact } from '../../model/run-facts'

/** The one sentence for a run, with the failure behind it; null when nothing failed. */
export function findCause(input: CauseInput): CauseFound | null {
  if (input.pipeline) return causeOfPipeline(input.pipeline, input.judgement, input.work)
  const ofRun = input.run ? causeOfRun(input.run, input) : undefined
  if (ofRun !== undefined) return ofRun
  return input.judgement.basis === 'recorded' && input.result
    ? causeOfResult(input, input.result)
    : causeOfEnding(input)
}

function causeOfResult(
  input: CauseInput,
  { place, fact }: { place: Place; fact: RunResultFact },
): CauseFound | null {
  const pointer = pointerTo(place, fact.span)
  const error = oneLine(fact.errors[0] ?? fact.result ?? '')
  switch (input.judgement.rule) {
    case 'agent_signal': {
      const reason = oneLine(fact.signal?.reason ?? '')
      return found(
        'agent_signal',
        sentence(
          reason === ''
            ? 'The agent declared the run failed without giving a reason'
            : 'The agent declared the run failed',
          reason,
        ),
        pointer,
      )
    }
    case 'result_unreadable':
      return found('result_unreadable', 'The run ended, but its result record cannot be read', pointer)
    case 'startup_failure':
      return found(
        'startup',
        sentence('The run never started', oneLine(fact.startupFailureReason ?? error)),
        pointer,
      )
    case 'resume_unknown_session':
      return found(
        'startup',
        sentence('Could not resume: the session does not exist on that machine', error),
        pointer,
      )
    case 'killed':
    case 'aborted':
      return withEarlier(
        'interruption',
        'The run was killed or interrupted before it finished',
        error,
        pointer,
        input,
      )
    case 'api_failure': {
      const status = fact.apiErrorStatus === null ? '' : ` with HTTP ${fact.apiErrorStatus}`
      return withEarlier(
        'api_error',
        `Model request failed permanently${status}`,
        lineOf(fact.result ?? error),
        pointer,
        input,
      )
    }
    case 'limit_reached':
      return withEarlier(
        'limit',
        `The run hit its ${limitName(fact)}${fact.numTurns === null ? '' : ` after ${some(fact.numTurns, 'turn')}`}`,
        error,
        pointer,
        input,
      )
    case 'hook_stopped':
      return withEarlier('hook_stop', 'A hook stopped the run', error, pointer, input)
    case 'permission_denied': {
      const denied = fact.permissionDenials
        .map((d) => (d.callId === null ? undefined : input.work.byId.get(d.callId)))
        .find((a) => a !== undefined)
      const tools = fact.permissionDenials.map((d) => oneLine(d.tool ?? '<unknown>'))
      const what = denied ? callName(denied) : tools[0]!
      const more = tools.length > 1 ? ` and ${some(tools.length - 1, 'more call')}` : ''
      const focus = denied?.state === 'failed' ? focusOn(denied, input.work) : null
      return found(
        'permission_denied',
        sentence(
          `The run reported success, but ${what}${more} ${tools.length > 1 ? 'were' : 'was'} denied permission`,
          focus ? decisiveText(focus.call) : '',
        ),
        focus ? pointerOf(focus.call) : pointer,
        focus,
      )
    }
    case 'cli_status':
      // Without a word of an error the final text is what the agent said, not why the verdict is what it is.
      return withEarlier(
        'cli_error',
        cliWords(fact),
        oneLine(fact.errors[0] ?? (fact.isError === true ? (fact.result ?? '') : '')),
        pointer,
        input,
      )
    default:
      return causeOnTheWay(input)
  }
}

const cliWords = ({ subtype, terminalReason }: RunResultFact): string =>
  subtype === null || subtype === ''
    ? 'The result record does not confirm success: it has no subtype'
    : `The run did not complete (${[subtype, ...(terminalReason ? [terminalReason] : [])].map(oneLine).join(', ')})`

const limitName = (fact: RunResultFact): string => {
  const name = `${fact.subtype ?? ''} ${fact.terminalReason ?? ''}`
  if (/turn/i.test(name)) return 'turn limit'
  if (/budget/i.test(name)) return 'budget'
  if (/structured/i.test(name)) return 'retry limit for structured output'
  return 'limit'
}

function causeOfEnding(input: CauseInput): CauseFound | null {
  const { judgement, ending, work } = input
  const ofCall = (a: WorkedCall): Focus => focusOn(a, input.work)
  switch (judgement.rule) {
    case 'api_error_last': {
      const { place, apiError } = ending!.lastAssistant!
      const status = apiError!.status === null ? '' : ` with HTTP ${apiError!.status}`
      const times =
        input.apiErrors.length > 1 ? ` (failure ${count(input.apiErrors.length)} in this run)` : ''
      return withEarlier(
        'api_error',
        `The run ended on a failed model request${status}${times}`,
        lineOf(apiError!.text),
        pointerTo(place, apiError!.span),
        input,
      )
    }
    case 'stop_failure': {
      const { place, fact } = ending!.ended!
      const told = ending!.lastAssistant?.place === place ? ending!.lastAssistant.apiError : undefined
      const text = sentence(
        `The run stopped on a failed model request (${oneLine(fact.error ?? 'unknown')})`,
        lineOf(told?.text ?? ''),
      )
      return found('api_error', text, told ? pointerTo(place, told.span) : wholeOf(place))
    }
    case 'interrupted_last': {
      const user = ending!.lastUser
      const pointer = user?.interruption ? pointerTo(user.place, user.interruption.span) : null
      const refused = refusedLast(ending!, input.work.byId)
      if (refused)
        return found(
          'interruption',
          sentence(
            `${ending!.door === 'receipt' ? 'The receipts end there' : 'The run ended there'}: ${whatHappened(refused)}`,
            decisiveText(refused),
          ),
          pointerOf(refused),
          ofCall(refused),
        )
      return withEarlier(
        'interruption',
        `A person interrupted the run${afterLastCall(ending!)}`,
        INTERRUPTED,
        pointer,
        input,
      )
    }
    case 'unanswered_prompt':
      return withEarlier(
        'cut_off',
        'The record ends with an unanswered prompt',
        '',
        ending!.lastUser ? wholeOf(ending!.lastUser.place) : null,
        input,
      )
    case 'call_without_result': {
      const open = ending!.openCalls
      if (open[0]!.endUntold)
        return withEarlier(
          'result_unreadable',
          `The last receipt has no readable outcome for ${callName(open[0]!, work.chains.length === 0 ? 90 : 34)}`,
          '',
          open[0]!.callPointer,
          input,
        )
      const more = open.length > 1 ? ` and ${some(open.length - 1, 'parallel call')}` : ''
      const room = work.chains.length === 0 ? 90 : 34
      return withEarlier(
        'cut_off',
        `The record ends before ${callName(open[0]!, room)}${more} returned`,
        '',
        open[0]!.callPointer,
        input,
      )
    }
    case 'failed_call_last': {
      const last = ownFailure(ending!.lastCall!, input.work.byId)
      const focus = ofCall(last)
      const repeats = focus.failedCalls > 1 ? ` (attempt ${count(focus.failedCalls)})` : ''
      return found(
        'tool_failure',
        sentence(
          `${ending!.door === 'receipt' ? 'The last receipt is of' : 'The run ended on'} a failed call${repeats}: ${whatHappened(last)}`,
          decisiveText(last),
        ),
        pointerOf(last),
        focus,
      )
    }
    case 'stopped_by_hook': {
      const { place, fact } = ending!.hookStop!
      return found(
        'hook_stop',
        sentence(
          fact.prevented ? 'A stop hook blocked the run' : 'A stop hook failed when the run stopped',
          oneLine(fact.errors[0] ?? fact.reason ?? ''),
        ),
        pointerTo(place, fact.span),
      )
    }
    case 'signal_in_last_text': {
      const { place, fact } = ending!.finalSaid!
      const reason = oneLine(fact.signal?.reason ?? '')
      return found(
        'agent_signal',
        sentence(
          reason === ''
            ? 'The agent declared the run failed without giving a reason'
            : 'The agent declared the run failed',
          reason,
        ),
        pointerTo(place, fact.span),
      )
    }
    default:
      return causeOnTheWay(input)
  }
}

/** The failure that a call hangs on, when it was cancelled or refused with it: what there is to look at. */
const ownFailure = (a: WorkedCall, byId: ReadonlyMap<string, WorkedCall>): WorkedCall =>
  (a.attachedTo?.callId ? byId.get(a.attachedTo.callId) : undefined) ?? a

/** The notice as the CLI writes it; the pointer lands on it. */
const INTERRUPTED = '[Request interrupted by user]'

const wholeOf = (place: Place): Pointer => ({
  received: place.received,
  byteStart: place.keptStart,
  byteEnd: place.keptEnd,
})

/** The refused or interrupted call that an interruption belongs to, when it directly follows it. */
const refusedLast = (ending: Ending, byId: ReadonlyMap<string, WorkedCall>): WorkedCall | null => {
  const last = ending.lastCall
  if (!last || ending.textAfterCalls) return null
  const refused = ownFailure(last, byId)
  return refused.failureClass === 'user_rejected' || refused.failureClass === 'interrupted' ? refused : null
}

const afterLastCall = (ending: Ending): string => {
  const last = ending.lastCall
  if (!last || ending.textAfterCalls)
    return last ? ' after the agent’s last message' : ' before any tool call'
  return last.state === 'no_result'
    ? ` while ${callName(last)} was running`
    : ` right after ${callName(last)} ${last.state}`
}

/** The run ended well, or nothing is known about its end: what failed on the way. */
function causeOnTheWay(input: CauseInput): CauseFound | null {
  const {
    work: { calls },
    read,
  } = input
  const failed = calls.filter((a) => a.state === 'failed').length
  const { outcome } = input.judgement
  const ended =
    outcome === 'succeeded'
      ? 'The run ended normally'
      : outcome === 'running'
        ? 'The run has not ended yet'
        : outcome === 'cancelled'
          ? 'The run was cancelled'
          : 'It is unknown how the run ended'
  if (failed === 0) {
    const last = input.apiErrors.at(-1)
    if (!last) return null
    return found(
      'api_error',
      sentence(
        `${ended}; ${some(input.apiErrors.length, 'model request')} failed along the way, the last with`,
        lineOf(last.text),
      ),
      pointerTo(last.place, last.span),
    )
  }
  const { telling } = read
  if (!telling) return null
  // That a run ended well stands beside the sentence wherever it is shown; in a list each word in front hides one of the reason.
  const start = `${outcome === 'succeeded' ? '' : `${ended}; `}${countsPhrase(input.work, read)}.`
  const lead = read.open.length > 1 ? ' Main failure: ' : ' '
  return found(
    'call_failures',
    sentence(`${start}${lead}${capital(whatHappened(telling.call, 44))}`, decisiveText(telling.call)),
    pointerOf(telling.call),
    telling,
  )
}
