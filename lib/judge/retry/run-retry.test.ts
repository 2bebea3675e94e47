import { expect, test } from 'vitest'
import type { CauseCategory } from '../../model/cause-categories'
import type { RunFact } from '../../model/run-facts'
import type { NextSteps } from '../../model/messages/next-steps'
import type { RunRetryReasons } from '../../model/messages/run-retry'
import type { Recovery, RetryVerdict } from '../../model/retry'
import type { WorkedCall } from '../calls/merge-calls'
import type { DecidedFacts } from './decided-facts'
import type { EndingFacts } from './ending-rules'
import type { CallVerdict } from './call-answer'
import type { FailureFacts } from './failure-rules'
import { judgeRunRetry, RUN_RETRY, type RunFacts } from './run-retry'
import type { TaskFacts } from './task-rules'

const decided = (more: Partial<DecidedFacts>): RunFacts => ({
  decided: {
    outcome: 'failed',
    retryReason: 'none',
    basis: 'recomputed',
    subtype: 'success',
    contentState: 'absent',
    unparseable: false,
    category: null,
    run: null,
    pattern: null,
    ...more,
  },
})
const requested = (retryReason: string): RunFacts => decided({ outcome: 'retriable', retryReason })
const process = (more: Partial<RunFact>): RunFacts =>
  decided({
    category: 'process',
    run: {
      command: ['agent', '-p', 'go'],
      exitCode: 1,
      signal: null,
      termination: 'natural_exit',
      stdout: { bytes: 5, sha256: null, kind: 'claude-stream', sentBytes: null },
      stderrTail: '',
      ...more,
    } as RunFact,
  })

const task = (more: Partial<TaskFacts>): RunFacts => ({
  task: {
    task: 'lint',
    failure: 'command',
    error: 'it broke',
    command: 'async-pipeline run-task lint',
    start: null,
    attempts: 1,
    recordedErrors: 1,
    differentErrors: 1,
    sameInput: true,
    ...more,
  },
})

const call = (more: Partial<WorkedCall> = {}): WorkedCall =>
  ({ callId: 'a', ordinal: 0, tool: 'Bash', target: 'make', looseTarget: 'make', ...more }) as WorkedCall
const ending = (category: CauseCategory, more: Partial<EndingFacts> = {}): RunFacts => ({
  ending: {
    category,
    outcome: 'failed',
    rule: 'cli_status',
    ofCall: false,
    text: '',
    status: null,
    isChild: false,
    openCall: null,
    agent: null,
    signalReason: null,
    ...more,
  },
})

const failure = (
  recoveredBy: Recovery | null,
  more: Partial<WorkedCall> = {},
  onCall: Partial<CallVerdict> = {},
): RunFacts => {
  const failed = call({ failureClass: 'exit_code', ...more })
  const next = recoveredBy === null ? null : call({ ordinal: 1, state: 'succeeded' })
  const facts = {
    focus: { call: failed, failed: [failed], failedCalls: 1, next, workaround: next },
    context: {
      work: { calls: [failed], chains: [], byId: new Map() },
      ended: true,
      after: () => ({ person: null, agent: 'This is expected.' }),
      saidBetween: () => null,
    },
    failed,
    call: { tool: 'Bash', target: { line: 'make', more: false }, number: 1 },
    error: 'it broke',
    quote: 'it broke',
    recoveredBy,
    onCall: {
      rule: 'command_failed',
      params: {},
      verdict: { retry: 'wont_help', next: { id: 'find_creator', params: { error: 'it broke' } } },
      ...onCall,
    },
  }
  return { failure: facts as unknown as FailureFacts }
}

type Row = [keyof RunRetryReasons, RetryVerdict, keyof NextSteps, RunFacts]
const ROWS: Row[] = [
  ['recorder_stopped', 'unclear', 'check_output_and_effects', { recorderStopped: true }],
  ['output_unparseable', 'unclear', 'fix_result_writer', decided({ unparseable: true })],
  ['attempts_used_up', 'wont_help', 'compare_attempts', decided({ retryReason: 'budget_exhausted' })],
  [
    'judged_failure',
    'wont_help',
    'compare_with_request',
    decided({ basis: 'recorded', subtype: 'adjudicated_failure' }),
  ],
  ['cut_off_resumable', 'would_help', 'resume_or_raise_limit', requested('resume')],
  ['stopped_early', 'would_help', 'ask_for_rest', requested('early_stop')],
  ['answer_lost', 'would_help', 'rerun_lost_answer', requested('drain_race')],
  ['empty_output', 'would_help', 'check_stderr', requested('empty_output')],
  ['lines_missing', 'would_help', 'ask_for_lines', requested('contract_recovery')],
  ['wrong_folder', 'would_help', 'review_outside_writes', requested('path_contamination')],
  ['wrote_nothing', 'would_help', 'name_files', requested('zero_writes')],
  ['went_silent', 'would_help', 'rerun_silent', requested('stale')],
  ['retry_requested', 'would_help', 'rerun', requested('clone_contamination')],
  [
    'recorded_timeout',
    'unclear',
    'check_recorded_timeout',
    decided({ category: 'limit', basis: 'recorded', subtype: 'timeout' }),
  ],
  [
    'recorded_crash',
    'unclear',
    'fix_exception',
    decided({ category: 'process', basis: 'recorded', subtype: 'crashed' }),
  ],
  ['process_timeout', 'unclear', 'check_timeout', process({ termination: 'timed_out' })],
  ['process_killed', 'unclear', 'find_killer', process({ signal: 'SIGKILL' })],
  ['command_not_run', 'wont_help', 'fix_command', process({ exitCode: 127 })],
  ['exit_without_stderr', 'unclear', 'run_command_by_hand', process({})],
  ['exit_with_stderr', 'unclear', 'fix_error_above', process({ stderrTail: 'boom' })],
  [
    'exit_with_stderr',
    'unclear',
    'fix_error_above',
    process({ stdoutTail: 'src/a.ts(3,5): error TS2345: no\n' }),
  ],
  ['exit_without_stderr', 'unclear', 'run_command_by_hand', process({ stdoutTail: 'Compiling\n' })],
  [
    'contract_not_met',
    'wont_help',
    'ask_for_pattern',
    decided({ contentState: 'contract_violation', pattern: { text: '^DONE', invalid: false } }),
  ],
  [
    'contract_not_met',
    'wont_help',
    'fix_pattern',
    decided({ contentState: 'complete', pattern: { text: '(', invalid: true } }),
  ],
  ['decision_unclear', 'unclear', 'read_output_end', decided({})],
  ['pipeline_open', 'unclear', 'import_again', { pipeline: { open: true } }],
  ['failed_task_unknown', 'unclear', 'read_pipeline_files', { pipeline: { open: false } }],
  ['task_requirement_missing', 'wont_help', 'provide_requirement', task({ failure: 'secret' })],
  ['agent_profile_unknown', 'wont_help', 'declare_profile', task({ failure: 'agent_profile' })],
  ['source_not_prepared', 'unclear', 'fix_source', task({ failure: 'prepare' })],
  ['task_timeout', 'unclear', 'raise_task_limit', task({ failure: 'timeout' })],
  ['task_failed_alike', 'wont_help', 'fix_task', task({ attempts: 3, recordedErrors: 3 })],
  ['task_failed_differently', 'unclear', 'reproduce_task', task({ attempts: 3, recordedErrors: 1 })],
  ['task_ran_once', 'unclear', 'reproduce_task', task({})],
  ['requests_recovered', 'helped', 'no_action_requests', { requests: { wentOn: true } }],
  ['requests_ended_run', 'would_help', 'resume_same_prompt', { requests: { wentOn: false } }],
  ['signal_without_reason', 'unclear', 'read_signal', ending('agent_signal')],
  ['signal', 'unclear', 'fix_signal', ending('agent_signal', { signalReason: 'no key' })],
  [
    'agent_not_started',
    'wont_help',
    'install_agent_dependency',
    ending('agent_failure', { agent: { childId: null, kind: 'agent.dependency', message: null } }),
  ],
  [
    'agent_failed',
    'unclear',
    'open_agent_run',
    ending('agent_failure', { agent: { childId: '7', kind: null, message: 'it broke' } }),
  ],
  ['request_recovered', 'helped', 'no_action_requests', ending('api_error', { outcome: 'succeeded' })],
  ['request_limited', 'would_help', 'wait_for_limit', ending('api_error', { text: 'rate limit' })],
  ['service_busy', 'would_help', 'resume_later', ending('api_error', { status: 529 })],
  ['request_rejected', 'wont_help', 'fix_request', ending('api_error', { status: 400 })],
  ['limit_reached', 'wont_help', 'raise_limit', ending('limit')],
  ['session_unknown', 'wont_help', 'new_session', ending('startup', { rule: 'resume_unknown_session' })],
  ['startup_failed', 'wont_help', 'fix_settings', ending('startup')],
  ['cli_error', 'unclear', 'read_result_record', ending('cli_error')],
  ['ci_step_failed', 'unclear', 'read_step_log', ending('process', { rule: 'ci_step_failed' })],
  ['ci_step_cancelled', 'unclear', 'rerun_cancelled', ending('interruption', { rule: 'ci_step_cancelled' })],
  [
    'agent_end_unknown',
    'unclear',
    'find_step_run',
    ending('result_unreadable', { rule: 'agent_result_missing' }),
  ],
  [
    'receipt_without_outcome',
    'unclear',
    'check_effects_elsewhere',
    ending('result_unreadable', { openCall: call({ endUntold: true }) }),
  ],
  [
    'result_status_missing',
    'unclear',
    'check_result_writer',
    ending('result_unreadable', { rule: 'result_status_missing' }),
  ],
  ['result_unreadable', 'unclear', 'check_result_writer', ending('result_unreadable')],
  ['hook_blocked', 'wont_help', 'satisfy_hook_and_resume', ending('hook_stop')],
  ['permission_denied', 'wont_help', 'allow_tool', ending('permission_denied')],
  ['interrupted', 'unclear', 'ask_who_stopped', ending('interruption')],
  [
    'call_open',
    'unclear',
    'check_effects',
    ending('cut_off', { rule: 'call_without_result', openCall: call() }),
  ],
  ['record_cut_off', 'unclear', 'resume_session', ending('cut_off')],
  ['record_cut_off', 'unclear', 'check_parent', ending('cut_off', { isChild: true })],
  ['changed_input_worked', 'helped', 'no_action', failure('changed_input')],
  ['later_call_worked', 'helped', 'no_action', failure('later_attempt')],
  ['same_call_worked', 'helped', 'no_action', failure('same_call')],
  ['another_way_worked', 'helped', 'check_workaround', failure('another_way')],
  ['another_way_worked', 'helped', 'no_action', failure('another_way', { looseTarget: null })],
  ['agent_may_differ', 'unclear', 'find_creator', failure(null)],
  [
    'agent_may_differ',
    'unclear',
    'with_input_elsewhere',
    failure(null, { receiptOnly: true, failureClass: 'too_large' }),
  ],
  ['call_unresolved', 'wont_help', 'find_creator', failure(null, {}, { rule: 'program_missing' })],
  ['call_unresolved', 'wont_help', 'find_creator', failure(null, { isStep: true })],
  ['nothing_known', 'unclear', 'read_last_events', {}],
]

test.each(ROWS)('%s: %s, then %s', (rule, runRetry, next, facts) => {
  const answer = judgeRunRetry(facts)
  expect([answer.rule, answer.verdict.runRetry, answer.verdict.next.id]).toEqual([rule, runRetry, next])
})

test('each rule of the table decides one of these, and the last one holds always', () => {
  expect(RUN_RETRY.map(({ id }) => id)).toEqual([...new Set(ROWS.map(([id]) => id))])
})

test('what ended well says so of the run alone: the identical call keeps its own verdict', () => {
  const { verdict, params } = judgeRunRetry(failure('changed_input'))
  expect(verdict).toMatchObject({
    runRetry: 'helped',
    callRetry: 'wont_help',
    recoveredBy: 'changed_input',
    afterOtherWork: false,
  })
  expect(params).toMatchObject({ because: { id: 'command_failed' }, number: 2, times: 1, between: null })
})

test('what is decided comes before what the records say of the end, and that before the failure', () => {
  const all = { ...decided({}), ...ending('limit'), ...failure('same_call') }
  expect(judgeRunRetry(all).rule).toBe('decision_unclear')
  expect(judgeRunRetry({ ...all, decided: undefined } as unknown as RunFacts).rule).toBe('limit_reached')
})

test('of a failure that stayed open: what is known of it afterwards, and the agent’s own words', () => {
  expect(judgeRunRetry(failure(null)).params).toEqual({
    because: { id: 'command_failed', params: {} },
    became: { times: 1, alike: false, outcome: 'not_retried', writer: null, ended: true },
    agentSaid: 'This is expected.',
  })
})
