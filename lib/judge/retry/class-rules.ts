import type { CallRef } from '../../model/messages/call-ref'
import type { CallRetryReasons } from '../../model/messages/call-retry'
import type { NextStep } from '../../model/messages/next-steps'
import type { FailureClass } from '../../model/execution'
import { callRef, decisiveText, personSaid } from '../calls/call-ref'
import { failureDetail } from '../calls/failure-detail'
import type { WorkedCall } from '../calls/merge-calls'
import { messageText } from '../message-text'
import type { CallFacts } from './call-facts'
import type { CallRules } from './call-answer'
import { memoize } from '../../text/memoize'
import { noParams } from './no-params'

const isOf =
  (...classes: FailureClass[]) =>
  ({ failed }: CallFacts): boolean =>
    (classes as (string | null)[]).includes(failed.failureClass)

const ofCall = ({ call }: CallFacts): { call: CallFacts['call'] } => ({ call })

/** The person's next words say what to do better than we can. */
function afterRefusal({ failed, context }: CallFacts): NextStep {
  const said = context.after(failed).person
  return said === null
    ? { id: 'ask_person', params: {} }
    : { id: 'follow_person', params: { said: messageText(said) } }
}

const withReason = memoize((failed: readonly WorkedCall[]) => failed.filter(personSaid))

/** The earlier refusal of the same work that says why. */
const reasonBefore = ({ focus, failed }: CallFacts): WorkedCall | undefined =>
  withReason(focus.failed).findLast((one) => one.ordinal < failed.ordinal)

/** The call whose failure cancelled this one. */
const cancelledBy = ({ failed, context }: CallFacts): CallRetryReasons['sibling_cancelled']['cause'] => {
  const cause = failed.attachedTo?.callId ? context.work.byId.get(failed.attachedTo.callId) : undefined
  return cause ? callRef(cause) : null
}

/** The same, where it failed on the target of this call. */
function siblingOnTarget(facts: CallFacts): CallRef | null {
  const { attachedTo, target } = facts.failed
  const cause = attachedTo?.callId ? facts.context.work.byId.get(attachedTo.callId) : undefined
  return cause !== undefined && target !== null && cause.target === target ? callRef(cause) : null
}

/** What the class of a failure says about the same call. */
export const CLASS_RULES: CallRules = [
  {
    id: 'rejected_reason_given_before',
    when: (facts) =>
      isOf('user_rejected')(facts) && !personSaid(facts.failed) && reasonBefore(facts) !== undefined,
    verdict: (facts) => ({ retry: 'wont_help', next: afterRefusal(facts) }),
    params: (facts) => {
      const earlier = reasonBefore(facts)!
      return {
        call: facts.call,
        times: facts.focus.failedCalls,
        attempt: earlier.numberInChain!,
        reason: messageText(decisiveText(earlier)),
      }
    },
  },
  {
    id: 'rejected_with_reason',
    when: (facts) => isOf('user_rejected')(facts) && personSaid(facts.failed),
    verdict: ({ quote }) => ({
      retry: 'wont_help',
      next: { id: 'do_as_asked', params: { error: quote } },
    }),
    params: ofCall,
  },
  {
    id: 'rejected',
    when: isOf('user_rejected'),
    verdict: (facts) => ({ retry: 'wont_help', next: afterRefusal(facts) }),
    params: ofCall,
  },
  {
    id: 'interrupted',
    when: isOf('interrupted'),
    verdict: (facts) => ({
      retry: 'unclear',
      next:
        facts.context.after(facts.failed).person === null
          ? { id: 'ask_why_interrupted', params: { call: facts.call } }
          : afterRefusal(facts),
    }),
    params: ofCall,
  },
  {
    id: 'not_read_first',
    when: isOf('not_read_first'),
    verdict: ({ call }) => ({
      retry: 'wont_help',
      next: { id: 'read_then_retry', params: { call } },
    }),
    params: ({ failed }) => ({ again: failureDetail(failed) === 'changed_since_read' }),
  },
  {
    id: 'edit_changes_nothing',
    when: (facts) => isOf('edit_no_match')(facts) && failureDetail(facts.failed) !== null,
    verdict: ({ call }) => ({
      retry: 'wont_help',
      next: { id: 'edit_with_new_text', params: { call } },
    }),
    params: noParams,
  },
  {
    id: 'edit_no_match',
    when: isOf('edit_no_match'),
    verdict: ({ call }) => ({
      retry: 'wont_help',
      next: { id: 'edit_current_text', params: { call } },
    }),
    params: noParams,
  },
  {
    id: 'edit_many_matches',
    when: isOf('edit_multi_match'),
    verdict: ({ call }) => ({ retry: 'wont_help', next: { id: 'widen_edit', params: { call } } }),
    params: noParams,
  },
  {
    // A command that misses a file is read by the words of its error.
    id: 'path_missing',
    when: (facts) => isOf('file_missing')(facts) && facts.failed.looseTarget === null,
    verdict: ({ call }) => ({ retry: 'wont_help', next: { id: 'find_path', params: { call } } }),
    params: ofCall,
  },
  {
    id: 'is_folder',
    when: isOf('is_dir'),
    verdict: ({ call }) => ({
      retry: 'wont_help',
      next: { id: 'read_file_in_folder', params: { call } },
    }),
    params: noParams,
  },
  {
    // It would meet what its sibling met: the same file, missing or not read.
    id: 'sibling_cancelled_on_target',
    when: (facts) => isOf('sibling_cancelled')(facts) && siblingOnTarget(facts) !== null,
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'fix_parallel_call', params: { call: facts.call, cause: cancelledBy(facts) } },
    }),
    params: (facts) => ({ call: facts.call, cause: siblingOnTarget(facts)! }),
  },
  {
    id: 'sibling_cancelled',
    when: isOf('sibling_cancelled'),
    verdict: (facts) => ({
      retry: 'unclear',
      next: { id: 'fix_parallel_call', params: { call: facts.call, cause: cancelledBy(facts) } },
    }),
    params: (facts) => ({ call: facts.call, cause: cancelledBy(facts) }),
  },
  {
    id: 'result_too_large',
    when: isOf('too_large'),
    verdict: ({ call }) => ({ retry: 'wont_help', next: { id: 'narrow_result', params: { call } } }),
    params: noParams,
  },
  {
    id: 'permission_denied',
    when: isOf('permission_denied'),
    verdict: ({ call }) => ({ retry: 'wont_help', next: { id: 'grant_call', params: { call } } }),
    params: ofCall,
  },
  {
    id: 'hook_blocked',
    when: isOf('hook'),
    verdict: ({ quote }) => ({
      retry: 'wont_help',
      next: { id: 'satisfy_hook', params: { error: quote } },
    }),
    params: ofCall,
  },
  {
    id: 'invalid_input',
    when: isOf('input_validation'),
    verdict: ({ call, quote }) => ({
      retry: 'wont_help',
      next: { id: 'send_valid_input', params: { call, error: quote } },
    }),
    params: noParams,
  },
  {
    id: 'task_unknown',
    when: isOf('task_output'),
    verdict: { retry: 'wont_help', next: { id: 'use_task_result', params: {} } },
    params: noParams,
  },
  {
    id: 'agent_failed',
    when: isOf('agent_failure'),
    verdict: ({ failed }) => ({ retry: 'unclear', next: agentRunOf(failed.childKey) }),
    params: noParams,
  },
]

/** Where the failure of an agent is explained: its envelope nearly always says no more than that it failed. */
export const agentRunOf = (childId: string | null): NextStep =>
  childId === null
    ? { id: 'find_agent_run', params: {} }
    : { id: 'open_agent_run', params: { run: messageText(childId) } }
