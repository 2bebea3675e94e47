import type { RunResultFact } from '../../model/run-facts'
import type { CauseMessages } from '../../model/messages/cause'
import { oneLine } from '../../text/visible'
import { callRef, decisiveText, lineOf } from '../calls/call-ref'
import { pointerTo, type Place } from '../calls/merge-streams'
import { messageText } from '../message-text'
import type { OutcomeRule } from '../outcomes/outcome'
import { blamed, blamedOnRun, pointerOf, type CauseInput, type CauseTable } from './cause-found'
import { focusOn, type Focus } from './focus'

export interface ResultFacts extends CauseInput {
  result: { place: Place; fact: RunResultFact }
}

const by =
  (...rules: OutcomeRule[]) =>
  ({ judgement }: ResultFacts): boolean =>
    rules.includes(judgement.rule)

const recordPointer = ({ result: { place, fact } }: ResultFacts) => pointerTo(place, fact.span)

/** The first error of the record, else its final text. */
const errorOf = ({ result: { fact } }: ResultFacts): string =>
  messageText(oneLine(fact.errors[0] ?? fact.result ?? ''))

const limitOf = ({ subtype, terminalReason }: RunResultFact): CauseMessages['limit_reached']['limit'] => {
  const name = `${subtype ?? ''} ${terminalReason ?? ''}`
  if (/turn/i.test(name)) return 'turns'
  if (/budget/i.test(name)) return 'budget'
  return /structured/i.test(name) ? 'structured_output' : 'other'
}

const deniedCall = ({ result, work }: ResultFacts) =>
  result.fact.permissionDenials
    .map(({ callId }) => (callId === null ? undefined : work.byId.get(callId)))
    .find((call) => call !== undefined)

/** The denied call, where its own record says that it failed. */
const deniedFocus = (facts: ResultFacts): Focus | null => {
  const call = deniedCall(facts)
  return call?.state === 'failed' ? focusOn(call, facts.work) : null
}

/** Causes by the rule that read the result record. */
export const RESULT_CAUSES: CauseTable<
  ResultFacts,
  | 'agent_signal'
  | 'result_unreadable'
  | 'result_status_missing'
  | 'startup_failed'
  | 'session_unknown'
  | 'run_stopped'
  | 'request_failed'
  | 'limit_reached'
  | 'stopped_by_hook'
  | 'tools_denied'
  | 'cli_error'
> = [
  {
    id: 'agent_signal',
    when: by('agent_signal'),
    verdict: blamed('agent_signal'),
    params: ({ result }) => ({ reason: messageText(oneLine(result.fact.signal?.reason ?? '')) }),
    pointer: recordPointer,
  },
  {
    id: 'result_unreadable',
    when: by('result_unreadable'),
    verdict: blamed('result_unreadable'),
    params: () => ({}),
    pointer: recordPointer,
  },
  {
    id: 'result_status_missing',
    when: by('result_status_missing'),
    verdict: blamed('result_unreadable'),
    params: () => ({}),
    pointer: recordPointer,
  },
  {
    id: 'startup_failed',
    when: by('startup_failure'),
    verdict: blamed('startup'),
    params: (facts) => ({
      error: messageText(oneLine(facts.result.fact.startupFailureReason ?? errorOf(facts))),
    }),
    pointer: recordPointer,
  },
  {
    id: 'session_unknown',
    when: by('resume_unknown_session'),
    verdict: blamed('startup'),
    params: (facts) => ({ error: errorOf(facts) }),
    pointer: recordPointer,
  },
  {
    id: 'run_stopped',
    when: by('killed', 'aborted'),
    verdict: blamedOnRun('interruption'),
    params: (facts) => ({ error: errorOf(facts) }),
    pointer: recordPointer,
  },
  {
    id: 'request_failed',
    when: by('api_failure'),
    verdict: blamedOnRun('api_error'),
    params: (facts) => ({
      status: facts.result.fact.apiErrorStatus,
      error: messageText(lineOf(facts.result.fact.result ?? errorOf(facts))),
    }),
    pointer: recordPointer,
  },
  {
    id: 'limit_reached',
    when: by('limit_reached'),
    verdict: blamedOnRun('limit'),
    params: (facts) => ({
      limit: limitOf(facts.result.fact),
      turns: facts.result.fact.numTurns,
      error: errorOf(facts),
    }),
    pointer: recordPointer,
  },
  {
    id: 'stopped_by_hook',
    when: by('hook_stopped'),
    verdict: blamedOnRun('hook_stop'),
    params: (facts) => ({ error: errorOf(facts) }),
    pointer: recordPointer,
  },
  {
    id: 'tools_denied',
    when: by('permission_denied'),
    verdict: (facts) => blamed('permission_denied', deniedFocus(facts)),
    params: (facts) => {
      const call = deniedCall(facts)
      const focus = deniedFocus(facts)
      const { permissionDenials } = facts.result.fact
      return {
        call: call ? callRef(call) : null,
        tool: messageText(permissionDenials[0]!.tool),
        denied: permissionDenials.length,
        error: focus ? messageText(decisiveText(focus.call)) : '',
      }
    },
    pointer: (facts) => {
      const focus = deniedFocus(facts)
      return focus ? pointerOf(focus.call) : recordPointer(facts)
    },
  },
  {
    id: 'cli_error',
    when: by('cli_status'),
    verdict: blamedOnRun('cli_error'),
    params: ({ result: { fact } }) => ({
      subtype: messageText(fact.subtype),
      terminalReason: messageText(fact.terminalReason),
      // Without a word of an error the final text is what the agent said, not why the verdict is what it is.
      error: messageText(oneLine(fact.errors[0] ?? (fact.isError === true ? (fact.result ?? '') : ''))),
    }),
    pointer: recordPointer,
  },
]
