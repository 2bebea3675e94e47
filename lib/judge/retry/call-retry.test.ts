import { expect, test } from 'vitest'
import type { CallRetryReasons } from '../../model/messages/call-retry'
import type { NextSteps } from '../../model/messages/next-steps'
import type { RetryVerdict } from '../../model/retry'
import type { WorkedCall } from '../calls/merge-calls'
import type { Focus } from '../causes/focus'
import { callFacts, type FailureContext } from './call-facts'
import { CALL_RETRY, judgeCallRetry } from './call-retry'

interface Given {
  call?: Partial<WorkedCall>
  focus?: Partial<Focus>
  person?: string
  calls?: Partial<WorkedCall>[]
}

const callOf = (more: Partial<WorkedCall>): WorkedCall =>
  ({
    callId: 'a',
    ordinal: 0,
    tool: 'Read',
    target: '/r/a/b.ts',
    looseTarget: null,
    inputDigest: 'in',
    state: 'failed',
    failureClass: 'exit_code',
    errorText: null,
    errorTextCut: false,
    exitCode: null,
    chain: 0,
    numberInChain: 1,
    inputChanged: false,
    attachedTo: null,
    childKey: null,
    messageId: null,
    decisive: null,
    receiptOnly: false,
    isStep: false,
    ...more,
  }) as WorkedCall

function judge({ call: of = {}, focus = {}, person, calls = [] }: Given) {
  const call = callOf(of)
  const all = [...calls.map((one, i) => callOf({ callId: `before-${i}`, ordinal: i, ...one })), call]
  const context = {
    work: { calls: all, chains: [], byId: new Map(all.map((one) => [one.callId, one])) },
    cwd: '/r',
    ended: true,
    after: () => ({ person: person ?? null, agent: null }),
    saidBetween: () => null,
  } as unknown as FailureContext
  const whole = {
    call,
    failed: [call],
    failedCalls: 1,
    recovered: false,
    workaround: null,
    next: null,
    ...focus,
  }
  // The call itself is one of its chain.
  whole.failed = whole.failed.map((one) => (one.callId === call.callId ? call : one))
  return judgeCallRetry(callFacts(whole as Focus, context))
}

const shell = (target: string, errorText: string, more: Partial<WorkedCall> = {}): Given => ({
  call: { tool: 'Bash', target, looseTarget: target, errorText, ...more },
})
const ofClass = (failureClass: string, errorText = 'x', more: Partial<WorkedCall> = {}): Given => ({
  call: { tool: 'Edit', failureClass, errorText, ...more },
})
const step = (errorText: string): Given => ({
  call: { tool: 'post', target: null, errorText, isStep: true },
})
const twice = (given: Given): Given => {
  const failed = [callOf({ ...given.call, callId: 'first' }), callOf({ ...given.call })]
  return { ...given, focus: { failed, failedCalls: 2 } }
}
const doneBy = (next: WorkedCall): Partial<Focus> => ({ recovered: true, next })
const SAID = 'To tell you how to proceed, the user said:\nuse a switch'

type Row = [keyof CallRetryReasons, RetryVerdict, keyof NextSteps, Given]
const ROWS: Row[] = [
  [
    'same_call_worked',
    'helped',
    'no_action',
    {
      ...shell('make', 'boom'),
      focus: doneBy(callOf({ ordinal: 1, state: 'succeeded' })),
    },
  ],
  [
    'same_call_failed_again',
    'wont_help',
    'ask_why_interrupted',
    {
      ...ofClass('interrupted', 'x', { callId: 'first' }),
      focus: { failed: [callOf({ callId: 'first' }), callOf({})], failedCalls: 2 },
    },
  ],
  [
    'rejected_reason_given_before',
    'wont_help',
    'ask_person',
    {
      ...ofClass('user_rejected', 'x', { ordinal: 1 }),
      focus: { failed: [callOf({ callId: 'first', errorText: SAID }), callOf({})], failedCalls: 2 },
    },
  ],
  ['rejected_with_reason', 'wont_help', 'do_as_asked', ofClass('user_rejected', SAID)],
  ['rejected', 'wont_help', 'ask_person', ofClass('user_rejected')],
  ['rejected', 'wont_help', 'follow_person', { ...ofClass('user_rejected'), person: 'not that file' }],
  ['interrupted', 'unclear', 'ask_why_interrupted', ofClass('interrupted')],
  ['interrupted', 'unclear', 'follow_person', { ...ofClass('interrupted'), person: 'stop' }],
  ['not_read_first', 'wont_help', 'read_then_retry', ofClass('not_read_first')],
  [
    'edit_changes_nothing',
    'wont_help',
    'edit_with_new_text',
    ofClass('edit_no_match', 'No changes to make: both are the same'),
  ],
  ['edit_no_match', 'wont_help', 'edit_current_text', ofClass('edit_no_match')],
  ['edit_many_matches', 'wont_help', 'widen_edit', ofClass('edit_multi_match')],
  ['path_missing', 'wont_help', 'find_path', ofClass('file_missing')],
  ['is_folder', 'wont_help', 'read_file_in_folder', ofClass('is_dir')],
  [
    'sibling_cancelled_on_target',
    'wont_help',
    'fix_parallel_call',
    {
      ...ofClass('sibling_cancelled', 'x', { attachedTo: { callId: 'before-0', why: 'sibling_failed' } }),
      calls: [{}],
    },
  ],
  ['sibling_cancelled', 'unclear', 'fix_parallel_call', ofClass('sibling_cancelled')],
  ['result_too_large', 'wont_help', 'narrow_result', ofClass('too_large')],
  ['permission_denied', 'wont_help', 'grant_call', ofClass('permission_denied')],
  ['hook_blocked', 'wont_help', 'satisfy_hook', ofClass('hook')],
  ['invalid_input', 'wont_help', 'send_valid_input', ofClass('input_validation')],
  ['task_unknown', 'wont_help', 'use_task_result', ofClass('task_output')],
  ['agent_failed', 'unclear', 'find_agent_run', ofClass('agent_failure')],
  ['agent_failed', 'unclear', 'open_agent_run', ofClass('agent_failure', 'x', { childKey: '7' })],
  ['step_host_unresolved', 'unclear', 'check_step_host', step('Name or service not known')],
  ['step_service_busy', 'would_help', 'rerun_step', step('HTTP 503 from the ledger')],
  ['step_unauthorized', 'wont_help', 'fix_step_credential', step('HTTP 401 from the ledger')],
  ['step_request_rejected', 'wont_help', 'fix_step_request', step('HTTP 422: a field is missing')],
  ['step_no_message', 'unclear', 'read_step_events', step('')],
  ['step_message_unclear', 'unclear', 'read_step_input', step('something odd')],
  ['name_unknown', 'wont_help', 'use_existing_name', shell('gh prs', 'unknown command "prs" for gh')],
  ['push_behind', 'wont_help', 'merge_then_push', shell('git push', '! [rejected] a (fetch first)')],
  ['arguments_too_long', 'wont_help', 'pass_by_file', shell('x', 'x: Argument list too long')],
  ['connection_failed', 'would_help', 'rerun_after_connection', shell('npm ci', 'npm error ECONNRESET')],
  [
    'connection_failed',
    'would_help',
    'with_input_elsewhere',
    shell('npm ci', 'npm error ECONNRESET', { receiptOnly: true }),
  ],
  ['path_ignored', 'wont_help', 'unignore_path', shell('git add a', 'ignored by one of your .gitignore')],
  ['make_target_missing', 'wont_help', 'use_make_target', shell('make all', 'No rule to make target all')],
  ['program_missing', 'wont_help', 'install_program', shell('foo', 'bash: foo: command not found')],
  ['something_missing', 'wont_help', 'find_creator', shell('x', 'No such file or directory')],
  [
    'number_read_as_path',
    'wont_help',
    'check_options',
    shell('cat 12', 'cat: 12: No such file or directory'),
  ],
  [
    'missing_after_own_cd',
    'wont_help',
    'absolute_path_before_cd',
    shell('cd /x && ls types/', "ls: cannot access 'types/': No such file or directory"),
  ],
  [
    'missing_after_earlier_cd',
    'wont_help',
    'absolute_path_after_cd',
    {
      ...shell('ls types/', "ls: cannot access 'types/': No such file or directory", { ordinal: 1 }),
      calls: [{ tool: 'Bash', target: 'cd /elsewhere', looseTarget: 'cd' }],
    },
  ],
  ['thing_missing', 'wont_help', 'find_creator_of', shell('x', 'cat: /p.txt: No such file or directory')],
  ['system_denied', 'wont_help', 'grant_account', shell('cp a /etc', 'cp: /etc/a: Permission denied')],
  ['check_failed', 'wont_help', 'fix_work_or_check', shell('npm t', 'AssertionError: expected 1 to be 2')],
  ['program_crashed', 'wont_help', 'find_exception', shell('x', 'TypeError: x is not a function')],
  ['failed_alike', 'wont_help', 'run_by_hand', twice(shell('x', 'it broke'))],
  ['mcp_failed', 'unclear', 'check_mcp_server', { call: { tool: 'mcp__crm__find', errorText: 'it broke' } }],
  ['code_at_fault', 'wont_help', 'fix_code', shell('tsc', 'src/a.ts(3,4): error TS2304: no name')],
  ['command_failed', 'wont_help', 'run_by_hand', shell('x', 'it broke')],
  ['command_failed', 'wont_help', 'look_in_other_records', shell('x', 'it broke', { receiptOnly: true })],
  ['no_message', 'unclear', 'run_unclear_by_hand', shell('x', '', { failureClass: 'other' })],
  ['message_unclear', 'unclear', 'run_unclear_by_hand', shell('x', 'it broke', { failureClass: 'other' })],
]

test.each(ROWS)('%s: %s, then %s', (rule, retry, next, given) => {
  const answer = judge(given)
  expect([answer.rule, answer.verdict.retry, answer.verdict.next.id]).toEqual([rule, retry, next])
})

test('each rule of the table decides one of these, and the last one holds always', () => {
  expect(CALL_RETRY.map(({ id }) => id)).toEqual([...new Set(ROWS.map(([id]) => id))])
  expect(judge({ call: { failureClass: null } }).rule).toBe('no_message')
})

test('the same failure twice is said of the failures that it is known of', () => {
  expect(judge(twice(shell('npm t', 'AssertionError: expected 1 to be 2'))).params).toEqual({ alike: 2 })
  expect(judge(shell('npm t', 'AssertionError: expected 1 to be 2')).params).toEqual({ alike: null })
})

test('a cancelled call names the one that failed beside it', () => {
  const cancelled = ofClass('sibling_cancelled', 'x', {
    ordinal: 1,
    attachedTo: { callId: 'before-0', why: 'sibling_failed' },
  })
  expect(judge({ ...cancelled, calls: [{ tool: 'Read', target: '/r/dir' }] }).params).toMatchObject({
    cause: { tool: 'Read', target: { path: '/r/dir' }, number: 1 },
  })
})
