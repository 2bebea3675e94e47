import { describe, expect, test } from 'vitest'
import { WrittenNumber } from '../../text/exact-number'
import { PeerRaises } from './python-values'
import { collectTokens } from './token-usage'

const number = (digits: string): WrittenNumber => new WrittenNumber(digits)
const four = (input: unknown, output: unknown = 0): object => ({
  inputTokens: input,
  outputTokens: output,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
})

function usageOf(messages: Record<string, unknown>[], results: Record<string, unknown>[] = []) {
  const tokens = collectTokens()
  for (const message of messages) tokens.message(message)
  for (const usage of results) tokens.result(usage)
  return tokens.usage()
}

test('nothing told is nothing known', () => expect(usageOf([{}, { usage: null }, { usage: [] }])).toBeNull())

test('messages are summed by model, and all of them', () => {
  expect(
    usageOf([
      { model: 'a', usage: { input_tokens: 1, output_tokens: 2 } },
      { model: 'b', usage: { input_tokens: 3 } },
      { model: 'a', usage: { input_tokens: 4 } },
    ]),
  ).toEqual({
    ...four(8, 2),
    modelBreakdown: { a: four(5, 2), b: four(3) },
  })
})

test.each([
  ['none', {}, 'unknown'],
  ['null', { model: null }, 'null'],
  ['a number', { model: number('1.50') }, '1.5'],
  ['a key of JavaScript', { model: '__proto__' }, '__proto__'],
])('a model that is %s', (_, model, name) => {
  expect(Object.entries(usageOf([{ ...model, usage: { input_tokens: 1 } }])!.modelBreakdown)).toEqual([
    [name, four(1)],
  ])
})

test('the last result stands above the sum, null kept', () => {
  expect(
    usageOf(
      [{ usage: { input_tokens: 9 } }],
      [{ input_tokens: 1 }, { input_tokens: null, output_tokens: 'x' }],
    ),
  ).toEqual({ ...four(null, 'x'), modelBreakdown: { unknown: four(9) } })
})

describe('numbers', () => {
  test.each<[string, unknown[], unknown]>([
    ['truths are one and zero', [true, false, 2], 3],
    ['floats', [0.5, 1], 1.5],
    ['what a number cannot hold', [number('9007199254740993'), 1], 9007199254740994n],
    ['a sum that a number cannot hold', [Number.MAX_SAFE_INTEGER, 2], 9007199254740993n],
    ['long and broken', [number('9007199254740993'), 0.5], 9007199254740992],
    ['minus', [-1, number('-2')], -3],
    ['without end', [number('Infinity'), number('9007199254740993')], Infinity],
  ])('%s', (_, counters, sum) =>
    expect(usageOf(counters.map((input) => ({ usage: { input_tokens: input } })))!.inputTokens).toBe(sum),
  )

  test.each([null, '1', [], {}])('%j is none', (input) =>
    expect(() => usageOf([{ usage: { input_tokens: input } }])).toThrow(PeerRaises),
  )

  test('an integer that is too long is none', () => {
    expect(() => usageOf([{ usage: { input_tokens: number('1'.repeat(4_000_000)) } }])).toThrow(PeerRaises)
  })
})
