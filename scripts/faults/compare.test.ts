import { expect, test } from 'vitest'
import { compareStored, isRight, type Stored } from './compare'
import { FAULTS, planRound } from './plan'

const stored = (externalId: string, records = 10, more: Partial<Stored> = {}): Stored => ({
  externalId,
  outcome: 'failed',
  counts: { records, calls: 4 },
  cause: 'Exit code 1',
  ...more,
})
const wanted = [stored('a'), stored('b')]

test('what is there as it should be is right, in whatever order its figures come', () => {
  expect(
    isRight(compareStored([stored('b'), stored('a', 10, { counts: { calls: 4, records: 10 } })], wanted)),
  ).toBe(true)
})

test.each([
  ['a lost execution', [stored('a')], { lost: ['b'] }],
  ['a lost record', [stored('a', 9), stored('b')], { lost: ['a'] }],
  ['a double row', [stored('a'), stored('a'), stored('b')], { doubled: ['a'] }],
  ['a double record', [stored('a', 11), stored('b')], { doubled: ['a'] }],
  ['an execution that nobody sent', [...wanted, stored('c')], { doubled: ['c'] }],
  ['another cause', [stored('a', 10, { cause: null }), stored('b')], { different: ['a'] }],
])('%s is reported', (_, found, want) => {
  expect(compareStored(found, wanted)).toEqual({ lost: [], doubled: [], different: [], ...want })
})

test('what was not acknowledged may be missing, and is still not there twice', () => {
  expect(isRight(compareStored([stored('a')], wanted, new Set(['a'])))).toBe(true)
  expect(compareStored([stored('a'), stored('b'), stored('b')], wanted, new Set(['a'])).doubled).toEqual([
    'b',
  ])
})

test('a seed and a number give the same round, and every fault has its turn', () => {
  const rounds = FAULTS.map((_, i) => planRound(7, i))
  expect(rounds.map((_, i) => planRound(7, i))).toEqual(rounds)
  expect(new Set(rounds.map(({ fault }) => fault)).size).toBe(FAULTS.length)
  expect(planRound(8, 4)).not.toEqual(rounds[4])
})
