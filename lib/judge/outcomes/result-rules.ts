import type { OutcomeMessages, ResultRecordParams } from '../../model/messages/outcome'
import type { RunResultFact } from '../../model/run-facts'
import { messageText } from '../message-text'
import { firstThatHolds, type Rule, type RuleTable } from '../rule-table'
import { ended, judgementOf, mayTryAgain, type Ended, type Judgement } from './outcome'

type Messages = Pick<
  OutcomeMessages,
  | 'result_unreadable'
  | 'agent_signal'
  | 'startup_failure'
  | 'resume_unknown_session'
  | 'killed'
  | 'aborted'
  | 'api_failure'
  | 'limit_reached'
  | 'hook_stopped'
  | 'result_status_missing'
  | 'cli_status'
  | 'permission_denied'
  | 'result_success'
>

const record = (r: RunResultFact): ResultRecordParams => ({
  subtype: messageText(r.subtype),
  isError: r.isError,
  stopReason: messageText(r.stopReason),
  terminalReason: messageText(r.terminalReason),
  apiErrorStatus: r.apiErrorStatus,
  error: messageText(r.errors[0] ?? null),
})

const subtypeOf = ({ subtype }: RunResultFact): string => (subtype ?? '').toLowerCase()
const terminalOf = ({ terminalReason }: RunResultFact): string => terminalReason ?? ''
const LIMIT = /^error_max_|^(?:max_turns|budget_exhausted|structured_output_retry_exhausted|blocking_limit)$/i

/** Holds where the record does not report success and the rest holds too. */
const notSuccess =
  (when: (r: RunResultFact) => boolean) =>
  (r: RunResultFact): boolean =>
    (r.isError === true || subtypeOf(r) !== 'success') && when(r)

const apiFailure = (
  when: (r: RunResultFact) => boolean,
  shownBy: 'status' | 'text',
  failure: (r: RunResultFact) => Parameters<typeof mayTryAgain>[0],
): Rule<RunResultFact, Ended, Messages> => ({
  id: 'api_failure',
  when: notSuccess(when),
  verdict: (r) => ended(mayTryAgain(failure(r)) ? 'retriable' : 'failed', 'infrastructure'),
  params: (r) => ({ ...record(r), shownBy }),
})

/** How a result record is read; the order is that of the verdict (failure-signal §3), its fourth rule split by its causes. */
const RESULT_RULES: RuleTable<RunResultFact, Ended, Messages> = [
  {
    id: 'result_unreadable',
    when: (r) => r.unreadable === true,
    verdict: ended('unknown'),
    params: () => ({}),
  },
  {
    id: 'agent_signal',
    when: (r) => r.signal !== undefined,
    verdict: ended('failed', 'agent'),
    params: () => ({}),
  },
  {
    id: 'startup_failure',
    when: notSuccess((r) => r.startupFailureReason !== null),
    verdict: ended('failed', 'cli'),
    params: (r) => ({ reason: messageText(r.startupFailureReason!) }),
  },
  {
    id: 'resume_unknown_session',
    when: notSuccess((r) => r.errors.some((e) => /no conversation found/i.test(e))),
    verdict: ended('failed', 'cli'),
    params: record,
  },
  {
    id: 'killed',
    when: notSuccess((r) => subtypeOf(r) === 'error_during_execution' && r.isError !== true),
    verdict: ended('interrupted'),
    params: record,
  },
  {
    id: 'aborted',
    when: notSuccess((r) => /^aborted_/.test(terminalOf(r))),
    verdict: ended('interrupted'),
    params: record,
  },
  apiFailure(
    (r) => terminalOf(r) === 'api_error' || terminalOf(r) === 'model_error' || r.apiErrorStatus !== null,
    'status',
    (r) => ({ class: null, status: r.apiErrorStatus, text: r.result ?? r.errors[0] ?? '' }),
  ),
  {
    id: 'limit_reached',
    when: notSuccess((r) => LIMIT.test(subtypeOf(r)) || LIMIT.test(terminalOf(r))),
    verdict: ended('failed', 'cli'),
    params: record,
  },
  {
    id: 'hook_stopped',
    when: notSuccess((r) => terminalOf(r) === 'stop_hook_prevented' || terminalOf(r) === 'hook_stopped'),
    verdict: ended('failed', 'hook'),
    params: record,
  },
  apiFailure(
    (r) => /^API Error\b/.test(r.result ?? ''),
    'text',
    (r) => ({ class: null, status: null, text: r.result ?? '' }),
  ),
  {
    // Not a status that says failure: nothing in the record says anything (more-agents §2, `sample-turns.json`).
    id: 'result_status_missing',
    when: (r) =>
      r.subtype === null && r.isError === null && r.errors.length === 0 && r.permissionDenials.length === 0,
    verdict: ended('unknown'),
    params: () => ({}),
  },
  { id: 'cli_status', when: notSuccess(() => true), verdict: ended('failed', 'cli'), params: record },
  {
    id: 'permission_denied',
    when: (r) => r.permissionDenials.length > 0,
    verdict: ended('failed', 'tool'),
    params: (r) => ({ tools: r.permissionDenials.map(({ tool }) => messageText(tool)) }),
  },
  { id: 'result_success', when: () => true, verdict: ended('succeeded'), params: () => ({}) },
]

/** Reads the result record of a run. */
export const judgeResult = (r: RunResultFact): Judgement =>
  judgementOf({ ...firstThatHolds(RESULT_RULES, r)!, basis: 'recorded' })
