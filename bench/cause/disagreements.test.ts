import { expect, test } from 'vitest'
import { answer, reading, session } from './constructed.support'
import { disagreementsOf } from './disagreements'

test('each thing that is not right is listed, with what was answered and both readings', () => {
  const first = reading(['a'], { a: { recovered: 'same' }, b: {} }, 'failed')
  const second = reading(['a'], { a: { recovered: 'same' }, b: { acceptable: ['other'] } }, 'failed')
  const of = answer(
    { a: { unchangedRetry: 'would_not', retryWords: 'cannot-help' } },
    { causeCallId: 'b', causeCategory: 'call_failures' },
  )
  const row = { session: 'agent/one-1.jsonl' }
  expect(disagreementsOf([session(first, second, of)])).toEqual([
    {
      ...row,
      about: 'headline',
      call: '',
      product: 'b (call_failures)',
      'first reading': 'a',
      'second reading': 'a',
    },
    {
      ...row,
      about: 'outcome',
      call: '',
      product: 'succeeded',
      'first reading': 'failed',
      'second reading': 'failed',
    },
    {
      ...row,
      about: 'recovered',
      call: 'a',
      product: 'no',
      'first reading': 'same',
      'second reading': 'same',
    },
    {
      ...row,
      about: 'recovered',
      call: 'b',
      product: 'no such failed call',
      'first reading': 'no',
      'second reading': 'no',
    },
    {
      ...row,
      about: 'unchanged_retry',
      call: 'b',
      product: 'no such failed call',
      'first reading': 'would_not',
      'second reading': 'would_not',
    },
    {
      ...row,
      about: 'kind',
      call: 'b',
      product: 'no such failed call',
      'first reading': 'command_failed',
      'second reading': 'command_failed or other',
    },
  ])
})

test('a session in which all is right has none', () => {
  const quiet = reading([], { a: {} })
  const right = answer({ a: { unchangedRetry: 'would_not' } }, { raises: false })
  expect(disagreementsOf([session(quiet, quiet, right)])).toEqual([])
})
