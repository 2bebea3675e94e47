import { expect, test } from 'vitest'
import { FAILURE_CLASSES } from '@/lib/model/execution'
import { KINDS } from './labels'
import { kindOf, outcomeOf, recoveredOf, unchangedRetryOf } from './mapping'
import { callAt } from './product-answer'

test('every failure class has a kind of the labels; one that nobody knows is other', () => {
  expect(FAILURE_CLASSES.filter((name) => !KINDS.includes(kindOf(name)))).toEqual([])
  expect([kindOf('hook'), kindOf('a_new_class'), kindOf('toString'), kindOf(null)]).toEqual([
    'permission',
    'other',
    'other',
    'other',
  ])
})

test('outcomes are mapped as the labels say', () => {
  expect(
    (['succeeded', 'failed', 'retriable', 'interrupted', 'cancelled', 'unknown', 'running'] as const).map(
      outcomeOf,
    ),
  ).toEqual(['succeeded', 'failed', 'failed', 'interrupted', 'interrupted', 'open', 'open'])
})

test('a call became what its chain became', () => {
  const read = { doneOtherwise: [4] }
  expect(recoveredOf({ number: 4, recovered: true }, read)).toBe('same')
  expect(recoveredOf({ number: 4, recovered: false }, read)).toBe('other_way')
  expect(recoveredOf({ number: 5, recovered: false }, read)).toBe('no')
  expect(recoveredOf({ number: 5, recovered: false }, undefined)).toBe('no')
  expect(recoveredOf(undefined, undefined)).toBe('no')
})

test.each([
  ['wont_help', null, null, 'would_not'],
  ['would_help', null, null, null],
  ['unclear', null, null, null],
  ['helped', null, null, null],
  ['wont_help', 'changed_input', false, 'would_not'],
  ['would_help', 'another_way', false, null],
  ['unclear', 'later_attempt', false, null],
  ['helped', 'another_way', false, 'would_help'],
  ['helped', 'same_call', false, 'would_help'],
  ['helped', 'same_call', true, null],
] as const)(
  'the verdict %s, recovered by %s, after other work %s',
  (callRetry, recoveredBy, afterOtherWork, expected) => {
    expect(unchangedRetryOf({ callRetry, recoveredBy, afterOtherWork })).toBe(expected)
  },
)

test('a failure that is not listed has no verdict', () => expect(unchangedRetryOf(undefined)).toBeNull())

const at = (byteStart: number, byteEnd: number, received = 'r') => ({ received, byteStart, byteEnd })

test('a cause points at the call whose result holds it, else at the call itself', () => {
  const calls = [
    { callId: 'a', callPointer: at(0, 10), resultPointer: at(20, 60) },
    { callId: 'b', callPointer: at(10, 20), resultPointer: at(30, 40) },
    { callId: 'c', callPointer: at(60, 70), resultPointer: null },
  ]
  expect(
    [at(22, 25), at(31, 39), at(60, 70), at(12, 14), at(31, 45)].map((pointer) => callAt(pointer, calls)),
  ).toEqual(['a', 'b', 'c', 'b', 'a'])
  expect(callAt(at(55, 65), calls)).toBeNull()
  expect(callAt(at(22, 25, 'another part'), calls)).toBeNull()
})
