import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FAILURE_CLASSES } from '@/lib/executions/types'
import { classWords, countsSentence } from './words'

const counts = (calls: number, failedCalls: number, chains: number, recoveredChains: number, callsWithoutResult = 0) =>
  ({ calls, failedCalls, chains, recoveredChains, callsWithoutResult })

test.each([
  [counts(0, 0, 0, 0), 'No tool was called'],
  [counts(1, 0, 0, 0), 'The only call did not fail'],
  [counts(41, 0, 0, 0), 'None of 41 calls failed'],
  [counts(41, 3, 3, 3), '3 of 41 calls failed; all three were repeated with success'],
  [counts(41, 2, 2, 2), '2 of 41 calls failed; both were repeated with success'],
  [counts(1, 1, 1, 1), '1 of 1 call failed; it was repeated with success'],
  [counts(9, 1, 1, 0), '1 of 9 calls failed; it was not repeated with success'],
  [counts(9, 4, 4, 0), '4 of 9 calls failed; none was repeated with success'],
  [counts(1_117, 5, 5, 1), '5 of 1,117 calls failed; one of them was repeated with success'],
  [counts(52, 11, 5, 2), '11 of 52 calls failed; in 5 chains, two of which ended in success'],
  [counts(52, 3, 1, 1), '3 of 52 calls failed; in 1 chain, which ended in success'],
  [counts(52, 6, 2, 0), '6 of 52 calls failed; in 2 chains, none of which ended in success'],
  [counts(12, 0, 0, 0, 1), 'None of 12 calls failed; 1 call has no result'],
])('%o', (given, want) => expect(countsSentence(given)).toBe(want))

test('no sentence claims success that was not counted', () => {
  fc.assert(fc.property(fc.nat(50), fc.nat(50), fc.nat(50), (calls, failed, chains) => {
    const sentence = countsSentence(counts(calls + failed, failed, Math.min(chains, failed), 0))
    expect(sentence).not.toMatch(/(all|both|\d|one|it was) (were )?repeated with success/)
    expect(sentence).not.toMatch(/(?<!none of )which ended in success/)
  }))
})

test('every failure class has words of its own', () => {
  const words = FAILURE_CLASSES.map(classWords)
  expect(new Set(words).size).toBe(FAILURE_CLASSES.length)
  expect(classWords('brand_new')).toBe('brand new')
})
