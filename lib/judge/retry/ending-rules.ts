import type { WorkedCall } from '../calls/merge-calls'
import type { AgentFailure } from '../calls/workflow-calls'
import { callRef } from '../calls/call-ref'
import { mayTryAgain, type OutcomeRule } from '../outcomes/outcome'
import type { CauseCategory } from '../../model/cause-categories'
import type { Outcome } from '../../model/execution'
import type { NextStep } from '../../model/messages/next-steps'
import { messageText } from '../message-text'
import { agentRunOf } from './class-rules'
import { noParams } from './no-params'
import { answer, type RunRules } from './run-answer'

/** How a run ended, as its own records say, and what its cause is about. */
export interface EndingFacts {
  readonly category: CauseCategory
  readonly outcome: Outcome
  readonly rule: OutcomeRule
  /** The cause is about a call that failed. */
  readonly ofCall: boolean
  /** The words and the HTTP status of a failed request. */
  readonly text: string
  readonly status: number | null
  /** The execution is a child: what to do is about the parent's call, not about a session to resume. */
  readonly isChild: boolean
  readonly openCall: WorkedCall | null
  /** The agent inside whose failure the cause is about; null: it is about none. */
  readonly agent: Pick<AgentFailure, 'childId' | 'kind' | 'message'> | null
  /** The agent's own reason for the failure that it declared. */
  readonly signalReason: string | null
}

const about =
  (category: CauseCategory, more: (facts: EndingFacts) => boolean = () => true) =>
  (facts: EndingFacts): boolean =>
    facts.category === category && more(facts)

/** How the run ended, by the category of its cause. */
export const ENDING_RULES: RunRules<EndingFacts> = [
  {
    id: 'signal_without_reason',
    when: about('agent_signal', ({ signalReason }) => signalReason === null),
    verdict: answer('unclear', { id: 'read_signal', params: {} }),
    params: noParams,
  },
  {
    id: 'signal',
    when: about('agent_signal'),
    verdict: answer('unclear', { id: 'fix_signal', params: {} }),
    params: noParams,
  },
  {
    id: 'agent_not_started',
    when: about('agent_failure', ({ agent }) => BEFORE_THE_RUN.has(agent?.kind ?? '')),
    verdict: ({ agent }) => {
      const message = messageText(agent!.message)
      return answer('wont_help', {
        id: agent!.kind === 'agent.configuration' ? 'configure_agent' : 'install_agent_dependency',
        params: { message },
      })
    },
    params: noParams,
  },
  {
    id: 'agent_failed',
    when: about('agent_failure', ({ agent }) => agent !== null),
    verdict: ({ agent }) => answer('unclear', agentRunOf(agent!.childId)),
    params: noParams,
  },
  {
    id: 'request_recovered',
    when: about('api_error', ({ outcome }) => outcome === 'succeeded'),
    verdict: answer('helped', { id: 'no_action_requests', params: {} }),
    params: noParams,
  },
  {
    id: 'request_limited',
    when: about('api_error', (facts) => isPassing(facts) && /limit|429/i.test(facts.text)),
    verdict: answer('would_help', { id: 'wait_for_limit', params: {} }),
    params: noParams,
  },
  {
    id: 'service_busy',
    when: about('api_error', (facts) => isPassing(facts)),
    verdict: answer('would_help', { id: 'resume_later', params: {} }),
    params: noParams,
  },
  {
    id: 'request_rejected',
    when: about('api_error'),
    verdict: answer('wont_help', { id: 'fix_request', params: {} }),
    params: noParams,
  },
  {
    id: 'limit_reached',
    when: about('limit'),
    verdict: answer('wont_help', { id: 'raise_limit', params: {} }),
    params: noParams,
  },
  {
    id: 'session_unknown',
    when: about('startup', ({ rule }) => rule === 'resume_unknown_session'),
    verdict: answer('wont_help', { id: 'new_session', params: {} }),
    params: noParams,
  },
  {
    id: 'startup_failed',
    when: about('startup'),
    verdict: answer('wont_help', { id: 'fix_settings', params: {} }),
    params: noParams,
  },
  {
    id: 'cli_error',
    when: about('cli_error'),
    verdict: answer('unclear', { id: 'read_result_record', params: {} }),
    params: noParams,
  },
  {
    id: 'ci_step_failed',
    when: ({ rule, ofCall }) => rule === 'ci_step_failed' && !ofCall,
    verdict: answer('unclear', { id: 'read_step_log', params: {} }),
    params: noParams,
  },
  {
    id: 'ci_step_cancelled',
    when: ({ rule }) => rule === 'ci_step_cancelled',
    verdict: answer('unclear', { id: 'rerun_cancelled', params: {} }),
    params: noParams,
  },
  {
    id: 'agent_end_unknown',
    when: about('result_unreadable', ({ rule }) => rule === 'agent_result_missing'),
    verdict: answer('unclear', { id: 'find_step_run', params: {} }),
    params: noParams,
  },
  {
    id: 'receipt_without_outcome',
    when: about('result_unreadable', ({ openCall }) => openCall?.endUntold === true),
    verdict: ({ openCall }) =>
      answer('unclear', {
        id: 'check_effects_elsewhere',
        params: { call: callRef(openCall!), callId: messageText(openCall!.callId) },
      }),
    params: ({ openCall }) => ({ call: callRef(openCall!) }),
  },
  {
    id: 'result_status_missing',
    when: about('result_unreadable', ({ rule }) => rule === 'result_status_missing'),
    verdict: answer('unclear', { id: 'check_result_writer', params: {} }),
    params: noParams,
  },
  {
    id: 'result_unreadable',
    when: about('result_unreadable'),
    verdict: answer('unclear', { id: 'check_result_writer', params: {} }),
    params: noParams,
  },
  {
    id: 'hook_blocked',
    when: about('hook_stop'),
    verdict: answer('wont_help', { id: 'satisfy_hook_and_resume', params: {} }),
    params: noParams,
  },
  {
    id: 'permission_denied',
    when: about('permission_denied', ({ ofCall }) => !ofCall),
    verdict: answer('wont_help', { id: 'allow_tool', params: {} }),
    params: noParams,
  },
  {
    id: 'interrupted',
    when: about('interruption', ({ ofCall }) => !ofCall),
    verdict: answer('unclear', { id: 'ask_who_stopped', params: {} }),
    params: noParams,
  },
  {
    id: 'call_open',
    when: about('cut_off', ({ rule, openCall }) => rule === 'call_without_result' && openCall !== null),
    verdict: ({ isChild, openCall }) =>
      answer(
        'unclear',
        isChild ? CHECK_PARENT : { id: 'check_effects', params: { call: callRef(openCall!) } },
      ),
    params: ({ openCall }) => ({ call: callRef(openCall!) }),
  },
  {
    id: 'record_cut_off',
    when: about('cut_off'),
    verdict: ({ isChild }) =>
      answer('unclear', isChild ? CHECK_PARENT : { id: 'resume_session', params: {} }),
    params: noParams,
  },
]

const CHECK_PARENT: NextStep = { id: 'check_parent', params: {} }

/** Kinds of errors that come before any run of the agent. */
const BEFORE_THE_RUN = new Set(['agent.configuration', 'agent.dependency'])

/** The same request may succeed later. */
const isPassing = ({ outcome, status, text }: EndingFacts): boolean =>
  outcome === 'retriable' || mayTryAgain({ class: null, status, text })
