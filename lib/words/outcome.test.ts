import { expect, test } from 'vitest'
import type { OutcomeMessages, ResultRecordParams } from '../model/messages/outcome'
import { OUTCOME_WORDS } from './outcome'
import { wordedSamples, type Samples } from './samples.support'

const record: ResultRecordParams = {
  subtype: 'error_during_execution',
  isError: true,
  stopReason: 'end_turn',
  terminalReason: 'api_error',
  apiErrorStatus: 529,
  error: 'Overloaded',
}
const bare: ResultRecordParams = {
  subtype: null,
  isError: null,
  stopReason: null,
  terminalReason: null,
  apiErrorStatus: null,
  error: null,
}
const row = { type: 'playbook.failed', eventId: '42' }
const rows = { held: 3, total: 5, said: 'RUNNING' }

const SAMPLES: Samples<OutcomeMessages> = {
  result_unreadable: [{}],
  result_status_missing: [{}],
  agent_signal: [{}],
  startup_failure: [{ reason: 'invalid_config' }],
  resume_unknown_session: [record],
  killed: [bare],
  aborted: [record],
  api_failure: [
    { ...record, shownBy: 'status' },
    { ...bare, shownBy: 'text' },
  ],
  limit_reached: [{ ...bare, subtype: 'error_max_turns' }],
  hook_stopped: [{ ...bare, terminalReason: 'hook_stopped' }],
  cli_status: [{ ...bare, subtype: 'error_new', isError: true }],
  permission_denied: [{ tools: ['Write', null] }],
  result_success: [{}],
  api_error_last: [{}],
  interrupted_last: [{ by: 'message' }, { by: 'receipt' }],
  unanswered_prompt: [{ source: 'transcript' }],
  call_without_result: [{ source: 'stream' }, { source: 'receipt' }, { source: 'unreadable_receipt' }],
  failed_call_last: [{ by: 'session' }, { by: 'receipt' }],
  stopped_by_hook: [{ prevented: true }, { prevented: false }],
  signal_in_last_text: [{}],
  left_open: [
    { source: 'transcript', what: 'question' },
    { source: 'transcript', what: 'push' },
    { source: 'transcript', what: 'edit' },
  ],
  completed: [
    { source: 'transcript', endShown: true },
    { source: 'log', endShown: false },
  ],
  ci_step_failed: [{ inside: 'success' }, { inside: 'no_result' }, { inside: 'nothing' }],
  ci_step_cancelled: [{}],
  stop_failure: [{ error: 'rate_limit' }, { error: null }],
  stop_seen: [{ how: 'Stop' }],
  no_end_seen: [{}],
  no_activity: [
    { received: 'transcript' },
    { received: 'stream' },
    { received: 'record' },
    { received: 'log' },
    { received: 'nothing' },
    { received: 'files' },
    { received: 'rows' },
    { received: 'results' },
    { received: 'receipts' },
    { received: 'open_process' },
  ],
  cancelled_row: [{ eventId: '42' }],
  agent_failed_inside: [
    {
      failures: 4,
      steps: ['ask', 'plan', 'check'],
      moreSteps: true,
      status: 'COMPLETED',
      row: { type: 'playbook.completed', eventId: '42' },
      serverRule: 'terminal_row',
      incomplete: null,
    },
    {
      failures: 1,
      steps: ['ask'],
      moreSteps: false,
      status: 'FAILED',
      row: null,
      serverRule: 'terminal_row',
      incomplete: rows,
    },
  ],
  agent_result_missing: [
    { serverRule: 'end_step_completed', step: 'ask', reference: null },
    { serverRule: 'end_step_completed', step: 'ask', reference: 'noetl://execution/1/result/ask' },
  ],
  run_incomplete: [
    rows,
    { held: 1, total: null, said: null },
    {
      ...{ held: 0, total: null, said: 'FAILED' },
      progress: { step: 'load', startedAt: '2026-05-05T21:48:01.900Z', durationS: 7205 },
    },
  ],
  terminal_row: [
    { ended: 'failed', row, incomplete: null },
    { ended: 'failed', row, incomplete: rows },
    { ended: 'succeeded', row: { type: 'playbook.completed', eventId: '42' } },
  ],
  end_step_completed: [{}],
  batch_completed: [{}],
  nothing_terminal: [{}],
  run_record: [
    { status: 'failed', noFailedTask: false },
    { status: 'failed', noFailedTask: true },
    { status: 'passed', noFailedTask: false },
  ],
  run_record_open: [
    { status: 'running', hasEnd: false, pid: 4711 },
    { status: 'running', hasEnd: true, pid: null },
    { status: 'paused', hasEnd: null },
    { status: null, hasEnd: null },
  ],
  run_record_missing: [{}],
  analysis_failed: [{}],
}

test('why an outcome is what it is, in English', () => {
  expect(wordedSamples(OUTCOME_WORDS, SAMPLES)).toMatchInlineSnapshot(`
    {
      "aborted": [
        "The result record does not report success: subtype error_during_execution, is_error true, stop reason end_turn, terminal reason api_error, API status 529, error “Overloaded”.",
      ],
      "agent_failed_inside": [
        "4 agents failed inside the run (“ask”, “plan”, “check”, …). The engine reports the run as COMPLETED (playbook.completed (event 42), rule terminal_row): it treats a failed agent as data.",
        "1 agent failed inside the run (“ask”). The engine reports the run as FAILED (rule terminal_row). 3 of 5 events of the run received; its server reports RUNNING.",
      ],
      "agent_result_missing": [
        "The engine reports the run as COMPLETED (end_step_completed), but the events of step “ask” do not show how its agent ended: the step did not wait for it, or its result was dropped.",
        "The engine reports the run as COMPLETED (end_step_completed), but the events of step “ask” do not show how its agent ended: its result is stored elsewhere (noetl://execution/1/result/ask) and was not fetched.",
      ],
      "agent_signal": [
        "The agent declared the run failed in its final text, which overrides every status.",
      ],
      "analysis_failed": [
        "The analysis failed, so nothing was read from the records.",
      ],
      "api_error_last": [
        "The last answer is a model request error.",
      ],
      "api_failure": [
        "The model request failed: subtype error_during_execution, is_error true, stop reason end_turn, terminal reason api_error, API status 529, error “Overloaded”.",
        "The result is the error of a failed model request: subtype <none>, is_error <none>.",
      ],
      "batch_completed": [
        "No event ends the run, but its last event completed a batch and no command is open.",
      ],
      "call_without_result": [
        "The output (which has no result record) ends with a call without a result: cut off or still running.",
        "The receipts end with a call without a result: cut off or still running.",
        "The last receipt has no readable outcome.",
      ],
      "cancelled_row": [
        "The run was cancelled (event 42). Its server may still report it as completed.",
      ],
      "ci_step_cancelled": [
        "The CI step was cancelled before the agent reported a result.",
      ],
      "ci_step_failed": [
        "The CI step failed, although the agent reported success.",
        "The CI step failed, and the agent reported no result.",
        "The CI step failed before the agent sent a message.",
      ],
      "cli_status": [
        "The result record does not report success: subtype error_new, is_error true.",
      ],
      "completed": [
        "The transcript ends without an error, interruption or open call.",
        "The session log ends without an error, interruption or open call. No text follows the last call, so the end may be missing.",
      ],
      "end_step_completed": [
        "No event ends the run, but its last event completed the step “end”.",
      ],
      "failed_call_last": [
        "The last call failed and the agent wrote nothing after it.",
        "The last call with a receipt failed. No receipts follow it.",
      ],
      "hook_stopped": [
        "The result record does not report success: subtype <none>, is_error <none>, terminal reason hook_stopped.",
      ],
      "interrupted_last": [
        "The last user message is an interruption notice.",
        "The last call with a receipt was interrupted. No receipts follow it.",
      ],
      "killed": [
        "The run was killed or interrupted: subtype <none>, is_error <none>. A stopped CLI writes this; the work itself did not fail.",
      ],
      "left_open": [
        "The session ends with a question to the person.",
        "The last push was rejected and not retried.",
        "The last edit of a file did not apply and was not retried.",
      ],
      "limit_reached": [
        "The run hit a limit: subtype error_max_turns, is_error <none>.",
      ],
      "no_activity": [
        "The transcript contains no activity of the agent or a person.",
        "The output (which has no result record) contains no activity of the agent or a person.",
        "The record of the process contains no activity of the agent or a person.",
        "The session log contains no activity of the agent or a person.",
        "No activity of the agent or a person was received.",
        "The files contain no messages from an agent or a person.",
        "The events contain no messages from an agent or a person.",
        "Only tool results were received, without the agent’s messages or calls.",
        "Only receipts were received. They cover calls, not how the run ended; calls without a receipt are invisible.",
        "The process record has no end.",
      ],
      "no_end_seen": [
        "No hook event ended the run: it is in progress or stopped silently.",
      ],
      "nothing_terminal": [
        "No event ends the run: it is in progress or stopped silently.",
      ],
      "permission_denied": [
        "The run reported success, but tools were denied: Write, <unknown>.",
      ],
      "result_status_missing": [
        "The run ended, but its result record has no status.",
      ],
      "result_success": [
        "The result record reports success, with no failure signal and no denied tools.",
      ],
      "result_unreadable": [
        "The run ended, but its result record has fields of the wrong type.",
      ],
      "resume_unknown_session": [
        "The run tried to resume an unknown session: subtype error_during_execution, is_error true, stop reason end_turn, terminal reason api_error, API status 529, error “Overloaded”.",
      ],
      "run_incomplete": [
        "3 of 5 events of the run received; its server reports RUNNING. The missing events may change the outcome.",
        "1 event of the run received; the total is unknown. The missing events may change the outcome.",
        "0 events of the run received; the total is unknown; its server reports FAILED, step “load”, started 2026-05-05 21:48:01 UTC, duration 2 h 00 min. The missing events may change the outcome.",
      ],
      "run_record": [
        "The run’s record says failed.",
        "The run’s record says failed but lists no failed task.",
        "The run’s record says passed.",
      ],
      "run_record_missing": [
        "The run’s record is missing, so its outcome is unknown.",
      ],
      "run_record_open": [
        "The run’s record says running and has no end: the run is in progress or it crashed. Unknown if its process (4711) is alive.",
        "The run’s record says running: the run is in progress or it crashed. Unknown if its process is alive.",
        "The run’s record says paused, an unknown status.",
        "The run’s record has no status.",
      ],
      "signal_in_last_text": [
        "The agent’s last message contains the failure signal.",
      ],
      "startup_failure": [
        "The run never started: invalid_config.",
      ],
      "stop_failure": [
        "The run stopped on a model request error (rate_limit).",
        "The run stopped on a model request error (<none>).",
      ],
      "stop_seen": [
        "The hook events end with Stop, without a failure.",
      ],
      "stopped_by_hook": [
        "A stop hook blocked the run.",
        "A stop hook reported an error when the run stopped.",
      ],
      "terminal_row": [
        "The last event that ends the run is playbook.failed (event 42).",
        "The last event that ends the run is playbook.failed (event 42). 3 of 5 events of the run received; its server reports RUNNING.",
        "The last event that ends the run is playbook.completed (event 42), and no agent failed inside the run.",
      ],
      "unanswered_prompt": [
        "The transcript ends with an unanswered prompt: still running, or stopped before the agent answered.",
      ],
    }
  `)
})
