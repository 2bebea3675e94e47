import type { Unresolved, UnresolvedCall, Recovered, WorkBetween } from '../../model/messages/run-retry'
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
import { answer, type RunAnswer, type RunRules } from './run-answer'
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
    id: 'agent_may_differ',
    when: ({ failed, onCall }) =>
      !failed.isStep && onCall.verdict.retry === 'wont_help' && !OUTSIDE_THE_AGENT.has(onCall.rule),
    verdict: (facts) => ({ ...unresolved(facts), runRetry: 'unclear' }),
    params: (facts) => unresolvedParams(facts),
  },
  {
    id: 'call_unresolved',
    when: () => true,
    verdict: (facts) => unresolved(facts),
    params: (facts) => unresolvedParams(facts),
  },
]

/**
 * Why the identical call won't help, where a new run meets the same: its surroundings refuse. Everything else is what
 * the agent wrote, did or was refused this time.
 */
const OUTSIDE_THE_AGENT: ReadonlySet<CallRetryReason['id']> = new Set<CallRetryReason['id']>([
  'permission_denied',
  'hook_blocked',
  'system_denied',
  'program_missing',
  'something_missing',
])

function unresolved(facts: FailureFacts): RunAnswer {
  const { retry, next } = facts.onCall.verdict
  return {
    ...answer(retry, next),
    next: ASKS_FOR_INPUT.has(facts.failed.failureClass ?? 'other') ? withInputElsewhere(next, facts) : next,
  }
}

const unresolvedParams = (facts: FailureFacts): UnresolvedCall => ({
  because: reasonOf(facts),
  became: becameOf(facts),
  agentSaid: messageText(facts.context.after(facts.failed).agent),
})

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
