import type { Unresolved, Recovered, WorkBetween } from '../../model/messages/run-retry'
import type { CallRetryReason } from '../../model/messages/call-retry'
import { callRef } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import { isIncomparable } from '../calls/retry-chain'
import { isUnchanged } from '../causes/focus'
import { workKindOf } from '../resolutions/work-kind'
import { messageText } from '../message-text'
import type { CallFacts } from './call-facts'
import type { CallVerdict } from './call-answer'
import { habitAfter } from './habit'
import { laterWriter } from './later-writer'
import { withInputElsewhere } from './receipt-input'
import type { RunAnswer, RunRules } from './run-answer'
import { workBetween } from './work-between'

/** A failed piece of work with the verdict on the identical call. */
export interface FailureFacts extends CallFacts {
  readonly onCall: CallVerdict
}

/** What became of the failed piece of work. */
export const FAILURE_RULES: RunRules<FailureFacts> = [
  {
    id: 'changed_input_worked',
    when: ({ recoveredBy }) => recoveredBy === 'changed_input',
    verdict: (facts) => recovered(facts, false),
    params: (facts) => ({
      ...recovery(facts, facts.focus.next!),
      number: facts.focus.next!.ordinal + 1,
      approved: facts.failed.failureClass === 'user_rejected',
    }),
  },
  {
    id: 'later_call_worked',
    when: ({ recoveredBy }) => recoveredBy === 'later_attempt',
    verdict: (facts) => recovered(facts, false),
    params: (facts) => ({
      ...recovery(facts, facts.focus.next!),
      number: facts.focus.next!.ordinal + 1,
    }),
  },
  {
    id: 'same_call_worked',
    when: ({ recoveredBy }) => recoveredBy === 'same_call',
    verdict: (facts) => recovered(facts, betweenOf(facts, facts.focus.next!) !== null),
    params: (facts) => ({
      ...recovery(facts, facts.focus.next!),
      number: facts.focus.next!.ordinal + 1,
    }),
  },
  {
    id: 'another_way_worked',
    when: ({ recoveredBy }) => recoveredBy === 'another_way',
    verdict: (facts) => ({
      ...recovered(facts, betweenOf(facts, facts.focus.workaround!) !== null),
      // Whoever looked elsewhere has the answer; what a command was to do may be done in part.
      ...(workKindOf(facts.failed) === 'command' && {
        next: {
          id: 'check_workaround' as const,
          params: { call: facts.call, other: callRef(facts.focus.workaround!) },
        },
      }),
    }),
    params: (facts) => ({
      ...recovery(facts, facts.focus.workaround!),
      other: callRef(facts.focus.workaround!),
    }),
  },
  {
    id: 'call_unresolved',
    when: () => true,
    verdict: (facts) => {
      const { retry, next } = facts.onCall.verdict
      return {
        runRetry: facts.failed.failureClass === 'not_read_first' ? 'unclear' : retry,
        callRetry: retry,
        recoveredBy: null,
        afterOtherWork: null,
        next: ASKS_FOR_INPUT.has(facts.failed.failureClass ?? 'other')
          ? withInputElsewhere(next, facts)
          : next,
      }
    },
    params: (facts) => {
      const said = facts.context.after(facts.failed).agent
      return {
        because: reasonOf(facts),
        became: becameOf(facts),
        agentSaid: messageText(said),
      }
    },
  },
]

/** Classes whose advice is about the input of the call. */
const ASKS_FOR_INPUT: ReadonlySet<string> = new Set([
  'not_read_first',
  'edit_no_match',
  'edit_multi_match',
  'input_validation',
  'too_large',
  'interrupted',
])

const recovered = ({ onCall, recoveredBy, failed }: FailureFacts, afterOtherWork: boolean): RunAnswer => ({
  runRetry: 'helped',
  callRetry: onCall.verdict.retry,
  recoveredBy,
  afterOtherWork,
  next: habitAfter(failed),
})

const reasonOf = ({ onCall: { rule, params } }: FailureFacts): CallRetryReason =>
  ({ id: rule, params }) as CallRetryReason

const betweenOf = ({ focus, failed, context }: FailureFacts, success: WorkedCall): WorkBetween | null =>
  workBetween(focus.failed.at(-1) ?? failed, success, context)

const recovery = (facts: FailureFacts, success: WorkedCall): Recovered => ({
  call: facts.call,
  times: facts.focus.failedCalls,
  between: betweenOf(facts, success),
  because: reasonOf(facts),
})

/** Of work that stayed as it was: what is known of it, and what is not. */
function becameOf({ focus, failed, context }: FailureFacts): Unresolved {
  const writer = laterWriter(failed, context.work)
  return {
    times: focus.failedCalls,
    alike: focus.failedCalls > 1 && isUnchanged(focus),
    outcome: focus.next
      ? 'no_result'
      : focus.failedCalls > 1
        ? 'no_success'
        : isIncomparable(failed)
          ? 'not_comparable'
          : 'not_retried',
    writer: writer && callRef(writer),
    ended: context.ended,
  }
}
