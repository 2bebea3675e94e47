import { expect, test } from 'vitest'
import { noCauseWords } from './no-cause-words'

const counts = (failedCalls = 0, records = 9) => ({ failedCalls, records })

test.each([
  ['succeeded', 0, 'Nothing failed in this execution.'],
  ['succeeded', 2, 'Nothing broke that ended this execution.'],
  ['running', 2, 'This execution is running; nothing in it has failed so far.'],
  ['unknown', 0, 'Nothing tells of a failure, and nothing tells how this execution ended.'],
  ['unknown', 1, 'Calls failed; nothing tells that one of them ended this execution.'],
])('an execution that reads %s with %i failed calls', (outcome, failed, says) => {
  expect(noCauseWords({ outcome, counts: counts(failed) })).toBe(says)
})

test('an agent whose own run ended otherwise is told before all else', () => {
  expect(
    noCauseWords({ outcome: 'succeeded', counts: counts(), agentRuns: [{ callState: 'succeeded' }] }),
  ).toContain('the own run of an agent')
})

test('receipts alone tell no more than they hold', () => {
  expect(noCauseWords({ outcome: 'succeeded', counts: counts(0, 3), receipts: 3 })).toBe(
    'No receipt tells of a failure.',
  )
  expect(noCauseWords({ outcome: 'succeeded', counts: counts(), receipts: 3 })).toBe(
    'Nothing failed in this execution.',
  )
})
