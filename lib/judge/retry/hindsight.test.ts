import { expect, test } from 'vitest'
import { timesNotHelped, type TriedAttempt } from './hindsight'

const blank = (more: Partial<TriedAttempt> = {}): TriedAttempt => ({
  outcome: 'retriable',
  retry: 'could-help',
  contentState: 'absent',
  retryReason: 'resume',
  cause: { text: 'The result was blank after 12 s', rule: 'result_blank', category: 'contract' },
  ...more,
})
const crash = blank({ cause: { text: 'Exited with code 1', rule: 'process_failed', category: 'process' } })
const good = blank({ outcome: 'succeeded', cause: null, retry: 'unknown' })

test.each<[string, TriedAttempt[], number[]]>([
  ['one attempt refutes nothing', [blank()], [0]],
  ['five equal failures', Array(5).fill(blank()), [4, 4, 4, 4, 4]],
  [
    'times in a text do not make failures differ',
    [blank(), blank({ cause: { ...blank().cause!, text: 'The result was blank after 9 s' } })],
    [1, 1],
  ],
  ['another failure ends the row', [blank(), blank(), crash, blank()], [1, 1, 0, 0]],
  ['a success between them ends the row', [blank(), good, blank()], [0, 0, 0]],
  ['other answers stay', [blank({ retry: 'cannot-help' }), blank({ retry: 'cannot-help' })], [0, 0]],
  [
    'what passes with time may help again',
    Array(3).fill(blank({ cause: { text: 'HTTP 529', rule: 'request_failed', category: 'api_error' } })),
    [0, 0, 0],
  ],
])('%s', (_, attempts, expected) => {
  expect(timesNotHelped(attempts)).toEqual(expected)
})
