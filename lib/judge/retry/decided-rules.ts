import type { NextStep } from '../../model/messages/next-steps'
import type { RunRetryReasons } from '../../model/messages/run-retry'
import type { NoParams } from '../../model/message'
import { messageText } from '../message-text'
import type { DecidedFacts } from './decided-facts'
import { noParams } from './no-params'
import { PROCESS_RULES } from './process-rules'
import { answer, type RunRules } from './run-answer'

type PlainReason = {
  [Id in keyof RunRetryReasons]: RunRetryReasons[Id] extends NoParams ? Id : never
}[keyof RunRetryReasons]

/** Another attempt is asked for, for a reason of a closed list. */
const requested = (id: PlainReason, reason: string, next: NextStep): RunRules<DecidedFacts>[number] =>
  ({
    id,
    when: ({ outcome, retryReason }: DecidedFacts) => outcome === 'retriable' && retryReason === reason,
    verdict: answer('would_help', next),
    params: noParams,
  }) as RunRules<DecidedFacts>[number]

/** What a decision says of the end. */
export const DECIDED_RULES: RunRules<DecidedFacts> = [
  {
    id: 'output_unparseable',
    when: ({ unparseable }) => unparseable,
    verdict: answer('unclear', { id: 'fix_result_writer', params: {} }),
    params: noParams,
  },
  {
    id: 'attempts_used_up',
    when: ({ retryReason }) => retryReason === 'budget_exhausted',
    verdict: answer('wont_help', { id: 'compare_attempts', params: {} }),
    params: noParams,
  },
  {
    // However the source went on: the content was there, and was another one. A session that reports an error delivered none.
    id: 'judged_failure',
    when: ({ basis, subtype, retryReason, contentState }) =>
      basis === 'recorded' &&
      subtype === 'adjudicated_failure' &&
      retryReason !== 'contract_recovery' &&
      contentState !== 'session_error',
    verdict: (facts) => answer('wont_help', deliverInstead(facts)),
    params: noParams,
  },
  requested('cut_off_resumable', 'resume', { id: 'resume_or_raise_limit', params: {} }),
  requested('stopped_early', 'early_stop', { id: 'ask_for_rest', params: {} }),
  requested('answer_lost', 'drain_race', { id: 'rerun_lost_answer', params: {} }),
  requested('empty_output', 'empty_output', { id: 'check_stderr', params: {} }),
  requested('lines_missing', 'contract_recovery', { id: 'ask_for_lines', params: {} }),
  requested('wrong_folder', 'path_contamination', { id: 'review_outside_writes', params: {} }),
  requested('wrote_nothing', 'zero_writes', { id: 'name_files', params: {} }),
  requested('went_silent', 'stale', { id: 'rerun_silent', params: {} }),
  {
    id: 'retry_requested',
    when: ({ outcome }) => outcome === 'retriable',
    verdict: answer('would_help', { id: 'rerun', params: {} }),
    params: ({ retryReason }) => ({ reason: messageText(retryReason) }),
  },
  ...PROCESS_RULES,
  {
    id: 'contract_not_met',
    when: ({ contentState }) => contentState === 'contract_violation' || contentState === 'complete',
    verdict: (facts) => answer('wont_help', deliverInstead(facts)),
    params: noParams,
  },
  {
    id: 'decision_unclear',
    when: () => true,
    verdict: answer('unclear', { id: 'read_output_end', params: {} }),
    params: noParams,
  },
]

/** Only patterns that are known to be missing are named: a source keeps none. */
function deliverInstead({ pattern }: DecidedFacts): NextStep {
  if (pattern === null) return { id: 'compare_with_request', params: {} }
  return {
    id: pattern.invalid ? 'fix_pattern' : 'ask_for_pattern',
    params: { pattern: messageText(pattern.text) },
  }
}
