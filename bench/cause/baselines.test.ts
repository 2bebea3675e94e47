import { expect, test } from 'vitest'
import { HEADLINE_BASELINES, mostFrequent } from './baselines'
import { answer, reading, session } from './constructed.support'
import type { CallAnswer } from './product-answer'

test('of the baselines a random call counts by its expected value, the others by their pick', () => {
  const failed = {
    a: { errorChars: 5 },
    b: { failureClass: 'user_rejected', isCommand: false, errorChars: 9 },
    c: { errorChars: 9 },
    d: { isCommand: false },
  }
  const of = (first: string[], calls: Record<string, Partial<CallAnswer>> = failed) => {
    const one = session(reading(first, calls as never), reading([], calls as never), answer(calls))
    return HEADLINE_BASELINES.map(({ part }) => part(one)[0])
  }
  expect(of(['a'])).toEqual([0.25, 1, 0, 0, 0])
  expect(of(['b'])).toEqual([0.25, 0, 0, 1, 1])
  expect(of(['c', 'd'])).toEqual([0.5, 0, 1, 0, 0])
  const { b: _refused, ...commands } = failed
  expect(of(['c'], commands)).toEqual([1 / 3, 0, 0, 1, 1])
  expect(of(['d'], { d: failed.d })).toEqual([1, 1, 1, 1, 1])
  expect(
    HEADLINE_BASELINES.map(
      ({ part }) => part(session(reading([], {}), reading([], {}), answer({ a: {} })))[1],
    ),
  ).toEqual([0, 0, 0, 0, 0])
})

test('the most frequent label counts what is agreed, and ties go to the first', () => {
  expect(mostFrequent(['a', null, 'b', null, null, 'b'])).toBe('b')
  expect(mostFrequent(['b', 'a'])).toBe('b')
})
