import { expect, test } from 'vitest'
import { worded } from '../../analysis/worded.support'
import { summaryOf } from '../../formats/noetl/runs.support'

const failedStep = (error: string) => {
  const rows = [
    'playbook.initialized',
    'command.issued',
    'call.error',
    'command.failed',
    'playbook.failed',
  ].map((type, i) => ({
    event_id: i + 1,
    event_type: type,
    node_name: 'post_entries',
    ...(/error|failed/.test(type) ? { error } : {}),
  }))
  return summaryOf(
    '7',
    JSON.stringify({
      execution_id: '7',
      path: 'a/b',
      status: 'FAILED',
      start_time: '2026-05-05T00:00:00',
      events: rows.toReversed(),
      pagination: { page: 1, total_events: rows.length },
    }),
  )
}

test.each([
  [
    'Request error: [Errno -2] Name or service not known',
    'unknown',
    /^Check that the step’s host name is right/,
  ],
  ['HTTP 503 from https://ledger.example/v1', 'could-help', /^Rerun. If it fails again/],
  ['connection refused by 10.0.0.1', 'could-help', /^Rerun\./],
  ['HTTP 401 from https://ledger.example/v1', 'cannot-help', /^Fix the step’s credential/],
  [
    'HTTP 400 from https://ledger.example/v1/entries: field "currency" is missing',
    'cannot-help',
    /^Fix what the error names in the step’s request/,
  ],
  [
    'something odd',
    'unknown',
    /^Read the events and input of step “post_entries”, starting from “something odd”/,
  ],
])('a step that failed with “%s” is no command to run by hand', async (error, retry, next) => {
  const { advice } = worded(await failedStep(error))
  expect(advice!.retry).toBe(retry)
  expect(advice!.next).toMatch(next)
  expect(advice!.next).not.toContain('by hand')
})
