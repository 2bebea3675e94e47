import { expect, test } from 'vitest'
import type { CallRef, FailedCallRef } from '../model/messages/call-ref'
import type { CallRetryReasons } from '../model/messages/call-retry'
import type { Aftermaths, FailureSummaries } from '../model/messages/failures'
import type { NextSteps } from '../model/messages/next-steps'
import type { RunRetryReasons, WorkBetween } from '../model/messages/run-retry'
import type { ExecutionAdvice } from '../model/advice'
import { RECOVERIES } from '../model/retry'
import { CALL_RETRY_WORDS } from './call-retry'
import type { Catalogue } from './catalogue'
import { AFTERMATH_WORDS, FAILURE_SUMMARY_WORDS } from './failure-list'
import { NEXT_STEP_WORDS } from './next-steps'
import { adviceToday, recoveryWords, storedAdvice } from './retry'
import { RUN_RETRY_WORDS } from './run-retry'

const call: CallRef = { tool: 'Bash', target: { line: 'npm run lint', more: false }, number: 7 }
const other: CallRef = { tool: 'Edit', target: { path: '/r/lib/a.ts' }, number: 1_012 }
const failed: FailedCallRef = {
  ...call,
  failureClass: 'exit_code',
  detail: null,
  exitCode: 2,
  isCommand: true,
  personSaid: false,
}
const between: WorkBetween = {
  said: 'go on',
  calls: [
    { call: other, failed: false },
    { call, failed: true },
  ],
  total: 5,
}
const error = 'it broke'
const because = { id: 'edit_many_matches', params: {} } as const
const recovered = { call, times: 2, between, because }
const at = { file: '/w/a/b/src/x.py', line: 9 }
const start = { paths: ['a.ts', 'b.ts'], more: true }
const NONE = {}

/** Values to show each message by; those that say the same each time need none. */
type Samples<Messages> = { [Id in keyof Messages]?: Messages[Id][] }

const CALL: Samples<CallRetryReasons> = {
  same_call_worked: [{ number: 8 }],
  same_call_failed_again: [{ number: 3 }],
  rejected_reason_given_before: [{ call, times: 3, attempt: 1, reason: 'use a switch' }],
  rejected_with_reason: [{ call }],
  rejected: [{ call }],
  interrupted: [{ call }],
  not_read_first: [{ again: false }, { again: true }],
  path_missing: [{ call: other }, { call }],
  sibling_cancelled: [
    { call, cause: other },
    { call, cause: null },
  ],
  sibling_cancelled_on_target: [{ call, cause: other }],
  permission_denied: [{ call }],
  hook_blocked: [{ call }],
  program_missing: [{ program: 'jq' }, { program: null }],
  number_read_as_path: [{ thing: '12' }],
  missing_after_own_cd: [{ thing: 'types/', folder: '/x' }],
  missing_after_earlier_cd: [{ thing: 'types/', folder: '/x', number: 3 }],
  thing_missing: [{ thing: '/p.txt' }],
  check_failed: [{ alike: null }, { alike: 3 }],
  program_crashed: [{ alike: null }, { alike: 3 }],
  failed_alike: [{ alike: 3 }],
}

const RUN: Samples<RunRetryReasons> = {
  did_not_help: [{ attempts: 5 }],
  retry_requested: [{ reason: 'clone_contamination' }],
  process_killed: [{ lastOutput: false }, { lastOutput: true }],
  command_not_run: [{ exitCode: 126 }, { exitCode: 127 }],
  task_failed_alike: [
    { attempts: 3, sameInput: false },
    { attempts: 3, sameInput: true },
  ],
  task_failed_differently: [
    { attempts: 3, recorded: false },
    { attempts: 3, recorded: true },
  ],
  receipt_without_outcome: [{ call }],
  call_open: [{ call }],
  same_call_worked: [
    { ...recovered, number: 8, because: { id: 'same_call_worked', params: { number: 8 } } },
    {
      ...recovered,
      number: 8,
      times: 1,
      between: null,
      because: { id: 'same_call_worked', params: { number: 8 } },
    },
  ],
  changed_input_worked: [
    { ...recovered, number: 8, approved: false },
    { ...recovered, number: 8, approved: true, between: null },
  ],
  later_call_worked: [{ ...recovered, number: 8 }],
  another_way_worked: [
    { ...recovered, other },
    { ...recovered, other, between: null },
  ],
  agent_may_differ: [
    {
      because,
      became: { times: 1, alike: false, outcome: 'not_retried', writer: null, ended: true },
      agentSaid: null,
    },
  ],
  call_unresolved: [
    {
      because,
      became: { times: 1, alike: false, outcome: 'not_retried', writer: null, ended: true },
      agentSaid: 'This is expected.',
    },
    {
      because,
      became: { times: 4, alike: true, outcome: 'no_success', writer: null, ended: false },
      agentSaid: null,
    },
    {
      because,
      became: { times: 2, alike: false, outcome: 'no_result', writer: other, ended: true },
      agentSaid: null,
    },
    {
      because,
      became: { times: 1, alike: false, outcome: 'no_result', writer: null, ended: true },
      agentSaid: null,
    },
    {
      because,
      became: { times: 1, alike: false, outcome: 'not_comparable', writer: null, ended: true },
      agentSaid: null,
    },
  ],
}

const NEXT: Samples<NextSteps> = {
  check_workaround: [{ call, other }],
  follow_person: [{ said: 'not that file' }],
  do_as_asked: [{ error: 'use a switch' }, { error: 'too slow.' }, { error: 'is there another way?' }],
  ask_why_interrupted: [{ call }],
  read_then_retry: [{ call }],
  edit_with_new_text: [{ call: other }],
  edit_current_text: [{ call: other }],
  widen_edit: [{ call: other }],
  find_path: [{ call: other }],
  read_file_in_folder: [{ call: other }],
  fix_parallel_call: [
    { call, cause: other },
    { call, cause: null },
  ],
  narrow_result: [{ call }],
  grant_call: [{ call }],
  satisfy_hook: [{ error: 'save the plan first' }],
  send_valid_input: [{ call, error: 'path is required' }],
  open_agent_run: [{ run: '620357390518353011' }],
  configure_agent: [{ message: 'no such entry point' }, { message: null }],
  install_agent_dependency: [{ message: 'no module' }, { message: null }],
  ...Object.fromEntries(
    (
      [
        'check_step_host',
        'rerun_step',
        'fix_step_credential',
        'fix_step_request',
        'use_existing_name',
        'merge_then_push',
        'pass_by_file',
        'rerun_after_connection',
        'unignore_path',
        'use_make_target',
        'find_creator',
        'grant_account',
      ] as const
    ).map((id) => [id, [{ error }]]),
  ),
  read_step_events: [{ call }],
  read_step_input: [{ call, error }],
  install_program: [
    { program: 'jq', error },
    { program: null, error },
  ],
  find_creator_of: [{ thing: '/p.txt' }],
  check_options: [{ thing: '12' }],
  absolute_path_before_cd: [{ thing: 'types/' }],
  absolute_path_after_cd: [{ thing: 'types/' }],
  fix_work_or_check: [
    { call, error, at, receiptOnly: false },
    { call, error, at: null, receiptOnly: true },
  ],
  find_exception: [
    { call, error, at: null, receiptOnly: false, cut: true },
    { call, error, at: null, receiptOnly: false, cut: false },
  ],
  fix_program: [{ call, error, at, receiptOnly: false }],
  fix_code: [{ call, error: '', at, receiptOnly: false }],
  run_by_hand: [
    { call, error, exitCode: 2, cut: false },
    { call, error: '', exitCode: null, cut: false },
  ],
  run_unclear_by_hand: [
    { call, error },
    { call, error: '' },
  ],
  look_in_other_records: [
    { error, callId: 'c1' },
    { error: '', callId: 'c1' },
  ],
  check_mcp_server: [{ call, error }],
  with_input_elsewhere: [{ step: { id: 'narrow_result', params: { call } }, callId: 'c1' }],
  check_effects_elsewhere: [{ call, callId: 'c1' }],
  check_effects: [{ call }],
  provide_requirement: [{ command: 'run-task lint', error }],
  declare_profile: [{ command: 'run-task lint', error }],
  fix_source: [{ task: 'lint' }],
  raise_task_limit: [{ command: 'run-task lint' }],
  fix_task: [
    { command: 'run-task lint', start },
    { command: 'run-task lint', start: { paths: [], more: false } },
    { command: 'run-task lint', start: null },
  ],
  reproduce_task: [
    { command: 'run-task lint', start },
    { command: 'run-task lint', start: null },
  ],
  fix_pattern: [{ pattern: '(' }],
  ask_for_pattern: [{ pattern: '^DONE' }],
  check_timeout: [{ timeline: false }, { timeline: true }],
  find_killer: [{ signal: 'SIGTERM' }, { signal: 'SIGKILL' }],
  fix_command: [{ command: 'agent -p go' }],
  run_command_by_hand: [
    { command: 'agent -p go', output: false },
    { command: 'agent -p go', output: true },
  ],
}

const SUMMARIES: Samples<FailureSummaries> = {
  calls_failed: [
    { call: failed, failed: 1, targets: null, error },
    { call: failed, failed: 5, targets: 2, error: '' },
  ],
  requests_failed: [
    { requests: 7, status: '500', error: 'Internal server error' },
    { requests: 1, status: null, error: null },
  ],
  task_failed: [
    ...['command', 'agent_step', 'timeout', 'tool', 'secret', 'variable', 'agent_profile', 'prepare'],
    'other',
    null,
  ].map((failure) => ({ task: 'lint', failure, exitCode: 2, attempts: 3, error })),
}

const AFTERMATHS: Samples<Aftermaths> = {
  fixed_on_retry: [
    { members: 1, number: 8, between },
    { members: 2, number: null, between: null },
  ],
  worked_around: [
    { members: 1, number: 8 },
    { members: 3, number: null },
  ],
  retry_without_result: [{ writer: null }],
  not_comparable: [{ writer: null }],
  all_attempts_failed: [{ attempts: 4, writer: 9 }],
  not_retried: [
    { members: 1, writer: null },
    { members: 3, writer: null },
  ],
  mixed: [
    { fixed: 1, workedAround: 2, unresolved: 3, writer: null },
    { fixed: 0, workedAround: 0, unresolved: 3, writer: null },
  ],
}

function allTexts<Messages>(
  words: Catalogue<Messages>,
  samples: Samples<Messages>,
): Record<string, string[]> {
  const ids = Object.keys(words) as (keyof Messages & string)[]
  return Object.fromEntries(
    ids.map((id) => [id, (samples[id] ?? [NONE as Messages[typeof id]]).map((params) => words[id](params))]),
  )
}

test('the English of every message', () => {
  const texts = {
    call: allTexts(CALL_RETRY_WORDS, CALL),
    run: allTexts(RUN_RETRY_WORDS, RUN),
    next: allTexts(NEXT_STEP_WORDS, NEXT),
    summaries: allTexts(FAILURE_SUMMARY_WORDS, SUMMARIES),
    aftermaths: allTexts(AFTERMATH_WORDS, AFTERMATHS),
  }
  expect(JSON.stringify(texts)).not.toMatch(/undefined|NaN|\bnull\b|\[object/)
  expect(texts).toMatchSnapshot()
})

test('the verdict in words, where the work was done in the end', () => {
  const all = RECOVERIES.flatMap((recoveredBy) =>
    [false, true].map((afterOtherWork) => recoveryWords({ recoveredBy, afterOtherWork })),
  )
  expect([...new Set(all)]).toMatchInlineSnapshot(`
    [
      "Helped: the same call worked",
      "Helped: the same call worked after other work",
      "Helped: it worked another way",
      "Helped: it worked another way after other work",
      "Helped: it worked with a different input",
      "Helped: a later call worked",
    ]
  `)
  expect(recoveryWords({ recoveredBy: null, afterOtherWork: null })).toBeUndefined()
})

const advice: ExecutionAdvice = {
  runRetry: 'helped',
  callRetry: 'wont_help',
  recoveredBy: 'another_way',
  afterOtherWork: true,
  because: { id: 'another_way_worked', params: { ...recovered, other } },
  next: { id: 'no_action', params: {} },
  failures: [
    {
      chains: [3],
      failed: 2,
      what: { id: 'calls_failed', params: { call: failed, failed: 2, targets: null, error } },
      ended: { id: 'worked_around', params: { members: 1, number: 8 } },
      runRetry: 'helped',
      callRetry: 'wont_help',
      recoveredBy: 'another_way',
      afterOtherWork: true,
      because: { id: 'another_way_worked', params: { ...recovered, other } },
      next: { id: 'no_action', params: {} },
    },
  ],
}

test('a row keeps codes and facts beside the texts of the day, and the codes of older rows', () => {
  expect(storedAdvice(advice)).toMatchObject({
    retry: 'helped',
    verdict: 'Helped: it worked another way after other work',
    next: 'No action needed.',
    runRetry: 'helped',
    callRetry: 'wont_help',
    because: { id: 'another_way_worked' },
    step: { id: 'no_action' },
    failures: [{ ended: 'worked around (call 8, inferred)', aftermath: { id: 'worked_around' } }],
  })
})

test('a stored advice is in today’s words; where only another version knows the message, in those of its day', () => {
  const stored = storedAdvice(advice)
  const texts = { verdict: 'v', retryBecause: 'r', next: 'n' }
  const then = {
    ...stored,
    ...texts,
    failures: stored.failures!.map((one) => ({ ...one, ...texts, what: 'w', ended: 'e' })),
  }
  expect(adviceToday(JSON.parse(JSON.stringify(then)))).toEqual(stored)

  const older = { retry: 'helped' as const, ...texts }
  expect(adviceToday(older)).toEqual(older)
  expect(adviceToday({ ...then, step: { id: 'of_tomorrow', params: {} } }).next).toBe('n')
})
