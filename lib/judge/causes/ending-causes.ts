import type { CauseMessages } from '../../model/messages/cause'
import { oneLine } from '../../text/visible'
import { callRef, lineOf } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import { pointerTo } from '../calls/merge-streams'
import { messageText } from '../message-text'
import type { Ending } from '../outcomes/ending'
import type { OutcomeRule } from '../outcomes/outcome'
import {
  blamed,
  blamedOnRun,
  pointerOf,
  quotedCall,
  wholeOf,
  type CauseInput,
  type CauseTable,
} from './cause-found'
import { focusOn } from './focus'

export interface EndingFacts extends CauseInput {
  ending: Ending
}

const by =
  (rule: OutcomeRule, when: (facts: EndingFacts) => boolean = () => true) =>
  (facts: EndingFacts): boolean =>
    facts.judgement.rule === rule && when(facts)

/** The failure that a call hangs on, when it was cancelled or refused with it: what there is to look at. */
const ownFailure = (a: WorkedCall, byId: ReadonlyMap<string, WorkedCall>): WorkedCall =>
  (a.attachedTo?.callId ? byId.get(a.attachedTo.callId) : undefined) ?? a

const lastFailed = ({ ending, work }: EndingFacts): WorkedCall => ownFailure(ending.lastCall!, work.byId)

/** The refused or interrupted call that an interruption belongs to, when it directly follows it. */
const refusedLast = ({ ending, work }: EndingFacts): WorkedCall | null => {
  const last = ending.lastCall
  if (!last || ending.textAfterCalls) return null
  const refused = ownFailure(last, work.byId)
  return refused.failureClass === 'user_rejected' || refused.failureClass === 'interrupted' ? refused : null
}

const interruptedWhen = ({ lastCall, textAfterCalls }: Ending): CauseMessages['interrupted']['when'] => {
  if (!lastCall || textAfterCalls) return lastCall ? 'after_message' : 'before_calls'
  return {
    call: callRef(lastCall),
    state: lastCall.state === 'no_result' ? 'running' : lastCall.state,
  }
}

/** The error beside a stop, where the same record holds it. */
const stopError = ({ lastAssistant, ended }: Ending) =>
  lastAssistant?.place === ended!.place ? lastAssistant.apiError : undefined

const source = ({ ending }: EndingFacts): 'session' | 'receipt' =>
  ending.channel === 'receipt' ? 'receipt' : 'session'

/** Causes by the rule that inferred the outcome. */
export const ENDING_CAUSES: CauseTable<
  EndingFacts,
  | 'request_failed_last'
  | 'stop_failure'
  | 'call_refused_last'
  | 'interrupted'
  | 'prompt_unanswered'
  | 'receipt_outcome_unreadable'
  | 'call_unanswered'
  | 'call_failed_last'
  | 'stop_hook'
  | 'agent_signal'
> = [
  {
    id: 'request_failed_last',
    when: by('api_error_last'),
    verdict: blamedOnRun('api_error'),
    params: ({ ending, apiErrors }) => {
      const { status, text } = ending.lastAssistant!.apiError!
      return { status, failures: apiErrors.length, error: messageText(lineOf(text)) }
    },
    pointer: ({ ending }) => pointerTo(ending.lastAssistant!.place, ending.lastAssistant!.apiError!.span),
  },
  {
    id: 'stop_failure',
    when: by('stop_failure'),
    verdict: blamed('api_error'),
    params: ({ ending }) => ({
      code: messageText(ending.ended!.fact.error),
      error: messageText(lineOf(stopError(ending)?.text ?? '')),
    }),
    pointer: ({ ending }) => {
      const { place } = ending.ended!
      const error = stopError(ending)
      return error ? pointerTo(place, error.span) : wholeOf(place)
    },
  },
  {
    id: 'call_refused_last',
    when: by('interrupted_last', (facts) => refusedLast(facts) !== null),
    verdict: (facts) => blamed('interruption', focusOn(refusedLast(facts)!, facts.work)),
    params: (facts) => ({ by: source(facts), ...quotedCall(refusedLast(facts)!) }),
    pointer: (facts) => pointerOf(refusedLast(facts)!),
  },
  {
    id: 'interrupted',
    when: by('interrupted_last'),
    verdict: blamedOnRun('interruption'),
    params: ({ ending }) => ({ when: interruptedWhen(ending) }),
    pointer: ({ ending: { lastUser } }) =>
      lastUser?.interruption ? pointerTo(lastUser.place, lastUser.interruption.span) : null,
  },
  {
    id: 'prompt_unanswered',
    when: by('unanswered_prompt'),
    verdict: blamedOnRun('cut_off'),
    params: () => ({}),
    pointer: ({ ending }) => (ending.lastUser ? wholeOf(ending.lastUser.place) : null),
  },
  {
    id: 'receipt_outcome_unreadable',
    when: by('call_without_result', ({ ending }) => ending.openCalls[0]!.endUntold),
    verdict: blamedOnRun('result_unreadable'),
    params: ({ ending }) => ({ call: callRef(ending.openCalls[0]!) }),
    pointer: ({ ending }) => ending.openCalls[0]!.callPointer,
  },
  {
    id: 'call_unanswered',
    when: by('call_without_result'),
    verdict: blamedOnRun('cut_off'),
    params: ({ ending: { openCalls } }) => ({
      call: callRef(openCalls[0]!),
      parallel: openCalls.length - 1,
    }),
    pointer: ({ ending }) => ending.openCalls[0]!.callPointer,
  },
  {
    id: 'call_failed_last',
    when: by('failed_call_last'),
    verdict: (facts) => blamed('tool_failure', focusOn(lastFailed(facts), facts.work)),
    params: (facts) => ({
      by: source(facts),
      attempts: focusOn(lastFailed(facts), facts.work).failedCalls,
      ...quotedCall(lastFailed(facts)),
    }),
    pointer: (facts) => pointerOf(lastFailed(facts)),
  },
  {
    id: 'stop_hook',
    when: by('stopped_by_hook'),
    verdict: blamed('hook_stop'),
    params: ({ ending }) => {
      const { prevented, errors, reason } = ending.hookStop!.fact
      return { prevented, error: messageText(oneLine(errors[0] ?? reason ?? '')) }
    },
    pointer: ({ ending }) => pointerTo(ending.hookStop!.place, ending.hookStop!.fact.span),
  },
  {
    id: 'agent_signal',
    when: by('signal_in_last_text'),
    verdict: blamed('agent_signal'),
    params: ({ ending }) => ({
      reason: messageText(oneLine(ending.finalSaid!.fact.signal?.reason ?? '')),
    }),
    pointer: ({ ending }) => pointerTo(ending.finalSaid!.place, ending.finalSaid!.fact.span),
  },
]
