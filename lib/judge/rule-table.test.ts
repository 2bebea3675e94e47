import { expect, expectTypeOf, test } from 'vitest'
import { firstThatHolds, predict, type RuleTable } from './rule-table'

interface Params {
  limit_reached: { turns: number }
  unexplained: Record<string, never>
}
interface Facts {
  turns: number | null
}
const TABLE: RuleTable<Facts, 'failed' | 'unknown', Params> = [
  {
    id: 'limit_reached',
    when: ({ turns }) => turns !== null && turns > 10,
    verdict: 'failed',
    params: ({ turns }) => ({ turns: turns! }),
    pointer: () => ({ received: 'r', byteStart: 1, byteEnd: 2 }),
    basis: 'recorded',
  },
  {
    id: 'unexplained',
    when: () => true,
    verdict: ({ turns }) => (turns === 0 ? 'failed' : 'unknown'),
    params: () => ({}),
  },
]

test('the first rule that holds decides, with its params, pointer and basis', () => {
  expect(firstThatHolds(TABLE, { turns: 11 })).toEqual({
    rule: 'limit_reached',
    params: { turns: 11 },
    verdict: 'failed',
    pointer: { received: 'r', byteStart: 1, byteEnd: 2 },
    basis: 'recorded',
  })
})

test('a verdict may depend on the facts; without a basis it is inferred', () => {
  expect(firstThatHolds(TABLE, { turns: 0 })).toEqual({
    rule: 'unexplained',
    params: {},
    verdict: 'failed',
    pointer: null,
    basis: 'inferred',
  })
  expect(firstThatHolds(TABLE, { turns: 3 })).toMatchObject({ rule: 'unexplained', verdict: 'unknown' })
})

test('where no rule holds there is no answer', () => {
  expect(firstThatHolds(TABLE.slice(0, 1), { turns: 1 })).toBeNull()
})

test('a prediction is the first rule that holds, without evidence of its own', () => {
  expect(predict(TABLE, { turns: 0 })).toEqual({ rule: 'unexplained', params: {}, verdict: 'failed' })
  expect(predict(TABLE.slice(0, 1), { turns: 1 })).toBeNull()
})

test('the type of the params follows from the rule', () => {
  const verdict = firstThatHolds(TABLE, { turns: 11 })
  if (verdict?.rule === 'limit_reached') expectTypeOf(verdict.params).toEqualTypeOf<{ turns: number }>()
})
