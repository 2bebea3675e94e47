import { expect, test } from 'vitest'
import { FAILURE_CLASSES } from '@/lib/model/execution'
import { LABEL_KINDS } from '@/lib/model/cause-labels'
import { labelOutcome } from '@/lib/views/corrections/label-line'
import { kindOf, recoveredOf, unchangedRetryOf } from './mapping'
import { callAt } from './product-answer'

test('every failure class has a kind of the labels; one that nobody knows is other', () => {
  expect(FAILURE_CLASSES.filter((name) => !LABEL_KINDS.includes(kindOf(name)))).toEqual([])
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
      labelOutcome,
    ),
  ).toEqual(['succeeded', 'failed', 'failed', 'interrupted', 'interrupted', 'open', 'open'])
})

test('a call became what the product says of it; one without an answer is not recovered', () => {
  expect(
    (['same_way', 'another_way', 'unresolved', 'unknown'] as const).map((resolution) =>
      recoveredOf({ resolution }),
    ),
  ).toEqual(['same', 'other_way', 'no', 'no'])
  expect(recoveredOf(null)).toBe('no')
})

test('the verdict on the identical call is mapped as the labels say', () => {
  expect(
    (['wont_help', 'would_help', 'helped', 'unclear'] as const).map((verdict) =>
      unchangedRetryOf({ verdict }),
    ),
  ).toEqual(['would_not', 'would_help', 'would_help', null])
  expect(unchangedRetryOf(null)).toBeNull()
})

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
