import { expect, test } from 'vitest'
import type { EventSummaries } from '../model/messages/event-summaries'
import { EVENT_SUMMARY_WORDS, summaryText } from './event-summaries'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const attempt = { number: 2, max: 3 }
const SAMPLES: Samples<EventSummaries> = {
  binary: [{ bytes: 9 }],
  file_lines_not_json: [{ file: 'FILE' }],
  file_not_json: [{ file: 'FILE' }],
  nul_bytes: NONE,
  records_lost: [{ code: 'CODE' }],
  too_many_events: [{ what: 'blocks', count: 9, max: 8 }],
  unknown_record: [
    { what: 'record', keys: ['a', 'b'] },
    { what: 'document', keys: [] },
  ],
  model_request_failed: NONE,
  request_failed: [
    { why: 529, attempt: 1, maxRetries: 3 },
    { why: null, attempt: null, maxRetries: null },
  ],
  stopped_on_error: [{ error: 'ERROR', details: 'DETAILS' }],
  hook_failed: [
    { hook: 'HOOK', exitCode: 1, output: 'OUTPUT' },
    { hook: 'HOOK', exitCode: null, output: null },
  ],
  context_summary: NONE,
  call_failed: [
    { tool: 'TOOL', text: 'TEXT' },
    { tool: 'TOOL', text: null },
  ],
  receipt_event: [
    { event: 'events_dropped' },
    { event: 'chain_interrupted' },
    { event: 'key_rotation' },
    { event: 'self_test' },
  ],
  command_ended: [
    { exitCode: 0, signal: null, limit: null, verdict: 'VERDICT' },
    { exitCode: null, signal: 'SIGKILL', limit: { seconds: null }, verdict: null },
    { exitCode: null, signal: null, limit: { seconds: 10 }, verdict: null },
  ],
  crashed: [{ why: 'WHY' }, { why: null }],
  failure_context: [
    { task: 'TASK', error: 'ERROR' },
    { task: 'TASK', error: null },
  ],
  agent_step: [
    { task: 'TASK', profile: 'PROFILE', response: { code: 1 } },
    { task: 'TASK', profile: null, response: { code: null } },
    { task: 'TASK', profile: null, response: null },
  ],
  tool_summary: NONE,
  task_outputs: NONE,
  worker_rows: NONE,
  worker_reply: [
    { step: 'STEP', isMissing: false },
    { step: null, isMissing: true },
  ],
  event_log: [
    { rows: 9, status: 'STATUS' },
    { rows: null, status: null },
  ],
  row: [
    { name: 'NAME', attempt, event: { id: 'agent_failed', code: 'CODE', message: 'MESSAGE' } },
    { name: 'NAME', attempt: null, event: { id: 'agent_failed', code: null, message: null } },
    { name: 'NAME', attempt: null, event: { id: 'agent_started' } },
    { name: 'NAME', attempt: null, event: { id: 'failed', isTool: true, text: 'TEXT' } },
    { name: 'NAME', attempt: null, event: { id: 'failed', isTool: false, text: null } },
    { name: 'NAME', attempt: null, event: { id: 'other', status: 'STATUS', storedAt: 'PLACE' } },
  ],
  command: [
    { step: 'STEP', attempt, status: 'STATUS', error: 'ERROR' },
    { step: null, attempt: { number: 1, max: null }, status: null, error: null },
  ],
}

test('what a list says of a record', () => {
  expect(wordedSamples(EVENT_SUMMARY_WORDS, SAMPLES)).toMatchSnapshot()
  expect(summaryText('as its producer wrote it')).toBe('as its producer wrote it')
  const error = 'a '.repeat(400)
  expect(summaryText({ id: 'stopped_on_error', params: { error, details: '' } }).length).toBeLessThanOrEqual(
    200,
  )
})
