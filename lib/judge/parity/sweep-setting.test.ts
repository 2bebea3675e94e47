import { expect, test } from 'vitest'
import { readSweepSetting } from './sweep-setting'

test.each([
  [undefined, 6_000],
  ['', 6_000],
  ['off', 0],
  ['1', 1],
  ['60000', 60_000],
])('%s is a budget', (value, budgetMs) =>
  expect(readSweepSetting({ INQUEST_PARITY_SWEEP: value })).toEqual({ budgetMs }),
)

test.each(['0', '60001', 'on', '-5', '1.5'])('%s cannot be meant', (value) =>
  expect(readSweepSetting({ INQUEST_PARITY_SWEEP: value })).toEqual({
    trouble: { set: value, max: 60_000 },
  }),
)
