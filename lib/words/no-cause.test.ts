import { expect, test } from 'vitest'
import { noCauseWords } from './no-cause'

const counts = (failedCalls = 0, records = 9) => ({ failedCalls, records })

test.each([
  ['succeeded', 0, 'Nothing failed in this execution.'],
  ['succeeded', 2, 'No failure ended this execution.'],
  ['running', 2, 'Running. No failures so far.'],
  ['unknown', 0, 'No failure recorded. It is unknown how this execution ended.'],
  ['unknown', 1, 'Calls failed, but it is unclear if any of them ended this execution.'],
])('an execution that reads %s with %i failed calls', (outcome, failed, says) => {
  expect(noCauseWords({ outcome, counts: counts(failed) })).toBe(says)
})

test('an agent whose own run ended otherwise is told before all else', () => {
  expect(
    noCauseWords({ outcome: 'succeeded', counts: counts(), agentRuns: [{ callState: 'succeeded' }] }),
  ).toContain('an agent it called failed')
})

test('receipts alone tell no more than they hold', () => {
  expect(noCauseWords({ outcome: 'succeeded', counts: counts(0, 3), receipts: 3 })).toBe(
    'No failure in the receipts.',
  )
  expect(noCauseWords({ outcome: 'succeeded', counts: counts(), receipts: 3 })).toBe(
    'Nothing failed in this execution.',
  )
})
