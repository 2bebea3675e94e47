import { expect, test } from 'vitest'
import type { CallRef, FailedCallRef } from '../model/messages/call-ref'
import type { CauseMessage, CauseMessages, EarlierMessage, FailedCallsParams } from '../model/messages/cause'
import { causeLine, causeText } from './cause'
import { causeHeadline, headlineOf } from './cause-headline'
import type { Samples } from './samples.support'

const call: CallRef = { tool: 'Bash', target: { line: 'go build ./...', more: false }, number: 7 }
const edit: CallRef = { tool: 'Edit', target: { path: '/work/cli/go.mod' }, number: 3 }
const failed: FailedCallRef = {
  ...call,
  failureClass: 'exit_code',
  detail: null,
  exitCode: 1,
  isCommand: true,
  personSaid: false,
}
const error = 'undefined: parseFlags'
const process = { afterS: 606, printed: null, lastOutput: '' } as const
const counts: FailedCallsParams = {
  failed: 7,
  calls: 186,
  cancelled: 0,
  fixedOnRetry: 2,
  workedAround: 1,
  unresolved: 1,
  unresolvedOne: null,
}
const recorded = {
  durationS: 600,
  exitCode: null,
  outputLost: false,
  attemptsUsedUp: false,
  detail: '',
} as const

const SAMPLES: Samples<CauseMessages> = {
  agent_signal: [{ reason: 'the site is down' }, { reason: '' }],
  result_unreadable: [{}],
  result_status_missing: [{}],
  startup_failed: [{ error: 'invalid_config' }],
  session_unknown: [{ error: 'No conversation found with session ID: 4f' }],
  run_stopped: [{ error: '' }],
  request_failed: [
    { status: 529, error: 'Overloaded' },
    { status: null, error: '' },
  ],
  limit_reached: [
    { limit: 'turns', turns: 3, error: '' },
    { limit: 'budget', turns: null, error: 'Reached maximum budget' },
    { limit: 'structured_output', turns: 1, error: '' },
    { limit: 'other', turns: null, error: '' },
  ],
  stopped_by_hook: [{ error: 'run the tests first' }],
  tools_denied: [
    { call: edit, tool: 'Edit', denied: 1, error: '' },
    { call: null, tool: 'Write', denied: 3, error: '' },
  ],
  cli_error: [
    { subtype: null, terminalReason: null, error: '' },
    { subtype: 'error_new', terminalReason: 'odd', error: 'what now' },
  ],
  request_failed_last: [
    { status: 500, failures: 3, error: 'Internal server error' },
    { status: null, failures: 1, error: '' },
  ],
  stop_failure: [
    { code: 'rate_limit', error: '429 slow down' },
    { code: null, error: '' },
  ],
  call_refused_last: [
    { by: 'session', call: { ...failed, failureClass: 'user_rejected', personSaid: true }, error: 'not now' },
    { by: 'receipt', call: { ...failed, failureClass: 'interrupted' }, error: '' },
  ],
  interrupted: [
    { when: 'before_calls' },
    { when: 'after_message' },
    { when: { call, state: 'running' } },
    { when: { call, state: 'failed' } },
  ],
  ci_step_failed: [{ inside: 'success' }, { inside: 'no_result' }, { inside: 'nothing' }],
  ci_step_cancelled: [{}],
  prompt_unanswered: [{}],
  receipt_outcome_unreadable: [{ call }],
  call_unanswered: [
    { call, parallel: 0 },
    { call: edit, parallel: 2 },
  ],
  call_failed_last: [
    { by: 'session', call: failed, attempts: 2, error },
    { by: 'receipt', call: failed, attempts: 1, error: '' },
  ],
  stop_hook: [
    { prevented: true, error: 'tests first' },
    { prevented: false, error: '' },
  ],
  failures_along_the_way: [
    { counts, call: failed, error },
    { counts: { ...counts, failed: 1, unresolved: 0 }, call: failed, error },
  ],
  calls_failed: [
    { outcome: 'succeeded', counts, call: failed, error },
    { outcome: 'unknown', counts: { ...counts, unresolved: 2 }, call: failed, error },
  ],
  requests_failed: [{ outcome: 'running', requests: 2, error: 'Overloaded' }],
  agent_failed: [
    { step: 'ask', code: 'agent.timeout', childId: '4711', runCompleted: true, error: 'no answer' },
    { step: 'ask', code: null, childId: null, runCompleted: false, error: '' },
  ],
  agent_end_missing: [{ step: 'ask' }],
  step_failed: [{ call: failed, error }],
  no_failed_step: [{ row: 'playbook.failed', error: 'out of memory' }],
  run_record_open: [
    { failedTask: 'lint', error: 'exit 2' },
    { failedTask: null, error: '' },
  ],
  no_failed_task: [{}],
  task_failed: [
    { task: 'lint', failure: 'command', exitCode: 2, attempts: 3, error: 'unused import', otherTasks: 1 },
    { task: 'lint', failure: null, exitCode: null, attempts: 1, error: '', otherTasks: 0 },
  ],
  task_failed_without_record: [{ task: 'lint', error: 'unused import' }],
  process_timed_out: [
    { ...process, limitS: 600, printed: 'nothing' },
    { ...process, limitS: null, afterS: null, lastOutput: 'waiting for lock' },
  ],
  process_silent: [
    { ...process, stalled: false },
    { ...process, stalled: true, printed: 'no_result' },
  ],
  process_killed: [{ ...process, signal: 'SIGKILL' }],
  command_not_started: [{ command: 'claud -p hello', exitCode: 127, lastOutput: 'claud: not found' }],
  process_failed: [
    { exitCode: 3, resultComplete: false, printed: 'nothing', lastOutput: 'no space left' },
    { exitCode: 3, resultComplete: true, printed: null, lastOutput: '' },
  ],
  recorder_stopped: [{}],
  parser_crashed: [{ why: 'ValueError: NaN' }, { why: null }],
  patterns_missing: [
    { patterns: ['plan_path = .+'], missing: 1, expected: 2 },
    { patterns: ['a', 'b'], missing: 4, expected: 4 },
  ],
  result_blank: [{ exitZero: true }, { exitZero: false }],
  marker_missing: [
    { marker: 'DONE', lostBy: null },
    { marker: 'DONE', lostBy: null, by: 'command' },
    { marker: 'DONE', lostBy: 'channel_a' },
    { marker: 'DONE', lostBy: 'channel_b' },
  ],
  result_error: [{ subtype: 'error_during_execution' }],
  decided: [{ reason: { id: 'exit_code', params: { exitCode: 3 } } }],
  recorded_failure: [
    { ...recorded, subtype: 'adjudicated_failure' },
    { ...recorded, subtype: 'adjudicated_failure', sessionError: true },
    { ...recorded, subtype: 'missing_completion_marker' },
    { ...recorded, subtype: 'empty_result', outputLost: true },
    {
      ...recorded,
      subtype: 'path_contamination',
      detail: 'wrote /etc/passwd',
    },
    { ...recorded, subtype: 'zero_writes' },
    { ...recorded, subtype: 'empty_output', exitCode: 1 },
    { ...recorded, subtype: 'unparseable' },
    { ...recorded, subtype: 'context_exhausted' },
    { ...recorded, subtype: 'error_max_turns', attemptsUsedUp: true },
    { ...recorded, subtype: 'timeout' },
    { ...recorded, subtype: 'error_during_execution' },
    { ...recorded, subtype: 'interrupted' },
    { ...recorded, subtype: 'stale' },
    { ...recorded, subtype: 'idle_stall', durationS: null },
    { ...recorded, subtype: 'crashed', detail: 'KeyError: result' },
    { ...recorded, subtype: 'unknown' },
    { ...recorded, subtype: 'brand_new' },
  ],
}

test('what a failure was, in English', () => {
  const lines = Object.entries(SAMPLES).flatMap(([id, all]) =>
    (all as readonly unknown[]).map((params) => `${id}: ${causeLine({ id, params } as CauseMessage)}`),
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "agent_signal: The agent declared the run failed: “the site is down”",
      "agent_signal: The agent declared the run failed without giving a reason",
      "result_unreadable: The run ended, but its result record cannot be read",
      "result_status_missing: The run ended, but its result record does not say how",
      "startup_failed: The run never started: “invalid_config”",
      "session_unknown: Could not resume: the session does not exist on that machine: “No conversation found with session ID: 4f”",
      "run_stopped: The run was killed or interrupted before it finished",
      "request_failed: Model request failed with HTTP 529: “Overloaded”",
      "request_failed: Model request failed",
      "limit_reached: The run hit its turn limit after 3 turns",
      "limit_reached: The run hit its budget: “Reached maximum budget”",
      "limit_reached: The run hit its retry limit for structured output after 1 turn",
      "limit_reached: The run hit its limit",
      "stopped_by_hook: A hook stopped the run: “run the tests first”",
      "tools_denied: The run reported success, but Edit on cli/go.mod was denied permission",
      "tools_denied: The run reported success, but Write and 2 more calls were denied permission",
      "cli_error: The result record does not confirm success: it has no subtype",
      "cli_error: The run did not complete (error_new, odd): “what now”",
      "request_failed_last: The run ended on a failed model request with HTTP 500 (failure 3 in this run): “Internal server error”",
      "request_failed_last: The run ended on a failed model request",
      "stop_failure: The run stopped on a failed model request (rate_limit): “429 slow down”",
      "stop_failure: The run stopped on a failed model request (unknown)",
      "call_refused_last: A person rejected Bash “go build ./...” and said: “not now”",
      "call_refused_last: A person interrupted Bash “go build ./...”",
      "interrupted: A person interrupted the run before any tool call: “[Request interrupted by user]”",
      "interrupted: A person interrupted the run after the agent’s last message: “[Request interrupted by user]”",
      "interrupted: A person interrupted the run while Bash “go build ./...” was running: “[Request interrupted by user]”",
      "interrupted: A person interrupted the run right after Bash “go build ./...” failed: “[Request interrupted by user]”",
      "ci_step_failed: The CI step failed, although the agent reported success",
      "ci_step_failed: The CI step failed, and the agent reported no result",
      "ci_step_failed: The CI step failed before the agent sent a message",
      "ci_step_cancelled: The CI step was cancelled before the agent reported a result",
      "prompt_unanswered: The record ends with an unanswered prompt",
      "receipt_outcome_unreadable: The last receipt has no readable outcome for Bash “go build ./...”",
      "call_unanswered: The record ends before Bash “go build ./...” returned",
      "call_unanswered: The record ends before Edit on cli/go.mod and 2 parallel calls returned",
      "call_failed_last: Bash “go build ./...” exited with code 1 (attempt 2): “undefined: parseFlags”",
      "call_failed_last: Bash “go build ./...” exited with code 1",
      "stop_hook: A stop hook blocked the run: “tests first”",
      "stop_hook: A stop hook failed when the run stopped",
      "failures_along_the_way: 7 of 186 calls failed along the way: 2 problems fixed on retry, 1 worked around, 1 unresolved",
      "failures_along_the_way: 1 of 186 calls failed along the way: 2 problems fixed on retry, 1 worked around",
      "calls_failed: Bash “go build ./...” exited with code 1: “undefined: parseFlags”",
      "calls_failed: Bash “go build ./...” exited with code 1: “undefined: parseFlags”",
      "requests_failed: 2 model requests failed along the way: “Overloaded”",
      "agent_failed: The agent of step “ask” failed (agent.timeout) in a COMPLETED run; see its own run 4711: “no answer”",
      "agent_failed: The agent of step “ask” failed and so did the run",
      "agent_end_missing: The run is COMPLETED, but its events do not show how the agent of step “ask” ended",
      "step_failed: Bash “go build ./...” exited with code 1: “undefined: parseFlags”",
      "no_failed_step: The run failed (playbook.failed), but no step reports a failure: “out of memory”",
      "run_record_open: The record ends mid-run: the run is in progress or it crashed; task “lint” had failed: “exit 2”",
      "run_record_open: The record ends mid-run: the run is in progress or it crashed",
      "no_failed_task: The run failed, but its record lists no failed task",
      "task_failed: Task “lint” failed with exit code 2 in all 3 attempts (1 more task failed too): “unused import”",
      "task_failed: Task “lint” failed; no reason was recorded",
      "task_failed_without_record: Task “lint” failed; its run’s record is missing: “unused import”",
      "process_timed_out: Timed out after 10 min 06 s (limit 10 min 00 s). It printed nothing",
      "process_timed_out: Timed out. Last output: “waiting for lock”",
      "process_silent: The run went silent and was stopped after 10 min 06 s",
      "process_silent: The run stalled and was stopped after 10 min 06 s. It printed no result",
      "process_killed: Killed by SIGKILL after 10 min 06 s",
      "command_not_started: The command “claud -p hello” could not be started (exit code 127): “claud: not found”",
      "process_failed: Exited with code 3: “no space left”",
      "process_failed: Exited with code 3, although its result is complete",
      "recorder_stopped: The recorder stopped before its command, so the outcome is unknown",
      "parser_crashed: The output cannot be judged: AutoSkillit’s own parser crashes on it (ValueError: NaN)",
      "parser_crashed: The output cannot be judged: AutoSkillit’s own parser crashes on it",
      "patterns_missing: The result does not match “plan_path = .+” (1 of 2 expected patterns found)",
      "patterns_missing: The result does not match “a” or “b” or 2 more patterns (0 of 4 expected patterns found)",
      "result_blank: The result is blank, although the process exited with code 0",
      "result_blank: The result is blank",
      "marker_missing: The agent stopped without printing its completion marker “DONE”",
      "marker_missing: The command ended without printing its completion marker “DONE”",
      "marker_missing: The result lacks the completion marker “DONE”, although a result was seen in the output (channel A): output was lost",
      "marker_missing: The result lacks the completion marker “DONE”, although the agent’s own log shows its end (channel B): output was lost",
      "result_error: The result record reports an error (subtype error_during_execution)",
      "decided: The process exited with code 3",
      "recorded_failure: The result was rejected (contract violation or session error)",
      "recorded_failure: The result was rejected: the session reported an error",
      "recorded_failure: The completion marker was not in the result",
      "recorded_failure: The result was blank, although a channel saw the end: output was lost",
      "recorded_failure: The agent wrote outside its working directory: “wrote /etc/passwd”",
      "recorded_failure: The run reported success but wrote none of the expected files",
      "recorded_failure: The process printed nothing (exit code 1)",
      "recorded_failure: The process printed no readable result",
      "recorded_failure: The context window was used up before the work was done",
      "recorded_failure: The turn limit was reached before the work was done; no attempts left",
      "recorded_failure: Timed out after 10 min 00 s",
      "recorded_failure: The agent reported an error while running",
      "recorded_failure: The run was interrupted",
      "recorded_failure: The run went silent and was stopped after 10 min 00 s",
      "recorded_failure: The run stalled and was stopped",
      "recorded_failure: The source crashed while running the agent or reading its output: “KeyError: result”",
      "recorded_failure: The source recorded a failure without saying why",
      "recorded_failure: The source recorded an unknown kind of failure: brand_new",
    ]
  `)
})

const before = (params: Partial<Extract<EarlierMessage, { id: 'failed_before' }>['params']>) =>
  ({
    id: 'failed_before',
    params: { requests: null, continued: false, calls: null, main: null, ...params },
  }) as EarlierMessage
const cut: CauseMessage = { id: 'prompt_unanswered', params: {} }
const requests = { requests: 7, status: '500', error: 'Internal server error' }

test('what failed before it, in English', () => {
  const texts = [
    before({ calls: counts, main: { call: failed, error } }),
    before({ calls: { ...counts, unresolved: 2 }, main: { call: failed, error: '' } }),
    before({ requests, continued: true }),
    before({ requests: { requests: 1, status: null, error: null }, calls: { ...counts, cancelled: 3 } }),
    { id: 'by_records', params: { cause: { id: 'call_unanswered', params: { call, parallel: 0 } } } },
    { id: 'contract_broken', params: { marker: 'DONE', patterns: [], missing: 0, expected: 0 } },
    { id: 'contract_broken', params: { marker: null, patterns: ['plan = .+'], missing: 1, expected: 2 } },
  ] satisfies EarlierMessage[]
  expect(texts.map((earlier) => causeText(cut, earlier).split('\n')[1])).toMatchInlineSnapshot(`
    [
      "Earlier: 7 of 186 calls failed: 2 problems fixed on retry, 1 worked around, 1 unresolved. Bash “go build ./...” exited with code 1: “undefined: parseFlags”",
      "Earlier: 7 of 186 calls failed: 2 problems fixed on retry, 1 worked around, 2 unresolved. Main failure: Bash “go build ./...” exited with code 1.",
      "Earlier: 7 model requests (HTTP 500, “Internal server error”) failed and the run continued.",
      "Earlier: 1 model request failed; 7 of 186 calls failed (3 cancelled with another call): 2 problems fixed on retry, 1 worked around, 1 unresolved.",
      "The record ends before Bash “go build ./...” returned",
      "Its output lacks the completion marker “DONE”",
      "Its output does not match “plan = .+” (1 of 2 expected patterns found)",
    ]
  `)
})

const none = { cancelled: 0, fixedOnRetry: 0, workedAround: 0, unresolved: 0, unresolvedOne: null }
test.each<[Partial<FailedCallsParams>, string]>([
  [{ failed: 1, fixedOnRetry: 1 }, '1 of 20 calls failed; fixed on retry'],
  [{ failed: 3, workedAround: 1 }, '3 of 20 calls failed: one problem, worked around'],
  [
    { failed: 1, unresolved: 1, unresolvedOne: 'retry_without_result' },
    '1 of 20 calls failed; its retry has no result',
  ],
  [{ failed: 1, unresolved: 1, unresolvedOne: 'not_comparable' }, '1 of 20 calls failed; unclear if retried'],
  [{ failed: 1, unresolved: 1, unresolvedOne: 'not_retried' }, '1 of 20 calls failed; not retried'],
  [
    { failed: 2, unresolved: 1, unresolvedOne: 'not_fixed' },
    '2 of 20 calls failed: one problem, not fixed on retry',
  ],
  [{ failed: 2, unresolved: 2 }, '2 of 20 calls failed; none fixed on retry, unclear if worked around'],
  [{ failed: 4, fixedOnRetry: 2 }, '4 of 20 calls failed: 2 problems, both fixed on retry'],
  [
    { failed: 5, cancelled: 1, workedAround: 3 },
    '5 of 20 calls failed (1 cancelled with another call): 3 problems, all worked around',
  ],
])('%j reads: %s', (params, text) => {
  const cause: CauseMessage = {
    id: 'calls_failed',
    params: {
      outcome: 'succeeded',
      call: failed,
      error,
      counts: { ...none, failed: 1, calls: 20, ...params },
    },
  }
  expect(causeText(cause, null).split('\n')[1]).toBe(`${text}.`)
})

test('how a run ended that did not end well is said with the counts', () => {
  const texts = (['unknown', 'running', 'cancelled'] as const).map((outcome) =>
    causeText({ id: 'calls_failed', params: { outcome, call: failed, error, counts } }, null).split('\n'),
  )
  expect(texts.map(([, below]) => below!.split(';')[0])).toEqual([
    'Unknown how the run ended',
    'The run has not ended yet',
    'The run was cancelled',
  ])
})

test('a headline has at most 90 characters, and ends in … where it is cut', () => {
  const long = causeLine({ id: 'agent_signal', params: { reason: 'word '.repeat(40).trim() } })
  expect(long.length).toBeGreaterThan(90)
  expect(headlineOf(`${long}\nEarlier: 1 of 2 calls failed.`)).toMatch(/^.{60,89}…$/)
  expect(headlineOf('short\nEarlier: x')).toBe('short')
})

const failedLast = (line: string, words: string, params: Partial<FailedCallRef> = {}): CauseMessage => ({
  id: 'call_failed_last',
  params: {
    by: 'session',
    call: { ...failed, target: { line, more: false }, ...params },
    attempts: 3,
    error: words,
  },
})

test.each([
  [
    failedLast(
      'npm test -- src/checkout',
      'AssertionError: expected 19.98 to be 19.99 // Object.is equality',
    ),
    'npm test -- src/checkout exited with code 1: AssertionError: expected 19.98 to be 19.99…',
  ],
  [failedLast('cd /work/shop && make', 'no rule'), 'make exited with code 1: no rule'],
  [
    failedLast(
      'find . -name "*.ts" -not -path "./node_modules/*" | xargs grep -l parse',
      'grep: unknown option',
    ),
    'find . -name "*.ts" -not -path… exited with code 1: grep: unknown option',
  ],
  [failedLast('make', ''), 'make exited with code 1'],
  [
    failedLast('make', 'not now', { failureClass: 'user_rejected', personSaid: true }),
    'A person rejected Bash “make” and said: not now',
  ],
  [
    failedLast('mix phx.server 2>&1 | head -80', 'The user doesn’t want to proceed with this tool use.', {
      failureClass: 'user_rejected',
    }),
    'A person rejected Bash “mix phx.server 2>&1 | head -80”',
  ],
  [
    failedLast('npx vitest run --project unit lib/words lib/judge', 'save the plan first', {
      failureClass: 'hook',
    }),
    'A hook blocked Bash “npx vitest run --project unit lib/words…”: save the plan first',
  ],
  [
    { id: 'request_failed', params: { status: 529, error: 'Overloaded' } },
    'Model request failed with HTTP 529: Overloaded',
  ],
] as const)('the headline names what failed and the words of the program: %#', (cause, headline) => {
  expect(causeHeadline(cause)).toBe(headline)
})

test('of a run in which nothing needs a look the count is the headline, and the worst failure stands below', () => {
  const cause: CauseMessage = { id: 'failures_along_the_way', params: { counts, call: failed, error } }
  expect(causeHeadline(cause)).toMatch(/^[\d,]+ of [\d,]+ calls failed along the way/)
  expect(causeText(cause, null).split('\n')[1]).toBe(
    'Bash “go build ./...” exited with code 1: “undefined: parseFlags”',
  )
})

test('no headline is longer than 90 characters, and none loses the words of the program', () => {
  const words = 'decisive '.repeat(30).trim()
  for (const [id, all] of Object.entries(SAMPLES))
    for (const params of all as readonly object[]) {
      const cause = { id, params: 'error' in params ? { ...params, error: words } : params } as CauseMessage
      expect(causeHeadline(cause).length).toBeLessThanOrEqual(90)
      if (causeLine(cause).includes('decisive')) expect(causeHeadline(cause)).toContain('decisive decisive')
    }
})
