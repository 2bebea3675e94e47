import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readJson, readJsonExactly } from './python-json'
import { WrittenNumber } from '../../text/exact-number'
import { isRecord, isTruthy, losesSpelling } from './python-values'

const number = (digits: string): WrittenNumber => new WrittenNumber(digits)

describe('numbers that are not finite', () => {
  test.each([
    ['NaN', number('NaN')],
    ['Infinity', number('Infinity')],
    ['-Infinity', number('-Infinity')],
    ['[NaN,-Infinity]', [number('NaN'), number('-Infinity')]],
    ['{"NaN":NaN}', { NaN: number('NaN') }],
    ['["NaN", "\\"NaN", NaN]', ['NaN', '"NaN', number('NaN')]],
    ['["\\\\", NaN]', ['\\', number('NaN')]],
  ])('%s', (text, value) => expect(readJson(text)).toEqual(value))

  test.each([
    '-NaN',
    '+Infinity',
    '1NaN',
    'NaN1',
    '--Infinity',
    '- Infinity',
    'NaNNaN',
    '[NaN NaN]',
    '{NaN:1}',
    '1eInfinity',
    '-1Infinity',
    'nan',
    'infinity',
    '"NaN',
    'NaN"',
    'nullNaN',
    '.NaN',
    'NaN.0',
  ])('%s is no JSON', (text) =>
    expect([readJson(text), readJsonExactly(text)]).toEqual([undefined, undefined]),
  )
})

describe('what is refused, and what is not', () => {
  test.each([
    '',
    ' ',
    '\ufeff1',
    '"a\tb"',
    '"a\x00b"',
    '01',
    '1.',
    '.5',
    '+1',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '// 1',
    '1 2',
    '\v1',
    '\xa01',
    'True',
    '"\\x41"',
    '"\\ud8"',
  ])('%j is no JSON', (text) =>
    expect([readJson(text), readJsonExactly(text)]).toEqual([undefined, undefined]),
  )

  test.each([
    ['of equal keys the last counts', '{"a":1,"b":2,"a":3}', { a: number('3'), b: number('2') }],
    ['half a surrogate pair', '"\\ud800"', '\ud800'],
    ['raw line separators', '"\u2028\u2029\x85\x7f"', '\u2028\u2029\x85\x7f'],
    [
      'digits as they were written',
      '[1.0, 1e5, -0, 123456789012345678901234567890]',
      [number('1.0'), number('1e5'), number('-0'), number('123456789012345678901234567890')],
    ],
    ['an empty key', '{"":{"":[]}}', { '': { '': [] } }],
  ])('%s', (_, text, value) => expect(readJsonExactly(text)).toEqual(value))

  test('a key that means something to JavaScript is a key like others', () => {
    const read = readJsonExactly('{"__proto__":{"type":"result"},"constructor":1}') as Record<string, unknown>
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor'])
    expect('type' in read).toBe(false)
    expect(Object.keys(readJson('{"__proto__":{"type":"result"}}') as object)).toEqual(['__proto__'])
  })

  test('what is nested deeper than we follow', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`
    const isRead = (read: (text: string) => unknown, depth: number): boolean =>
      read(nested(depth)) !== undefined
    expect([512, 513, 200_000].map((depth) => isRead(readJsonExactly, depth))).toEqual([true, false, false])
    expect(isRead(readJson, 200_000)).toBe(true)
  })

  test('text that is no JSON and never ends is given up in one pass', () => {
    // A pattern that looks for the end of a string from each quote would take hours here.
    expect(readJson(`NaN "${'\\"'.repeat(4_000_000)}`)).toBeUndefined()
    expect(readJson(`[NaN, "${'a'.repeat(8_000_000)}"]`)).toHaveLength(2)
  })
})

describe('lines of prose', () => {
  test.each([
    '[12] the build is done',
    'Installing 3 of 12',
    '{ not ready',
    '"quoted" and more',
    '12 passed',
    '- one thing',
    'Nothing',
    'true story',
    '',
    ' ',
  ])('%j is refused by its ends, without asking the parser', (text) => {
    const parser = vi.spyOn(JSON, 'parse')
    try {
      expect([readJson(text), parser.mock.calls]).toEqual([undefined, []])
    } finally {
      parser.mockRestore()
    }
  })

  test('nothing that the parser takes is refused by its ends', () => {
    const blank = fc
      .array(fc.constantFrom(' ', '\t', '\r', '\n'), { maxLength: 3 })
      .map((blanks) => blanks.join(''))
    fc.assert(
      fc.property(
        blank,
        fc.oneof(
          fc.json(),
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
        ),
        blank,
        (before, text, after) => {
          expect(readJson(before + text + after)).toEqual(JSON.parse(text))
        },
      ),
    )
  })
})

describe('the two readers', () => {
  const plain = (value: unknown): unknown => {
    if (value instanceof WrittenNumber) return Number(value.digits)
    if (Array.isArray(value)) return value.map(plain)
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
      : value
  }

  test('read the same, but for the numbers', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(plain(readJsonExactly(text))).toEqual(plain(readJson(text)))
      }),
    )
  })

  test('refuse the same', () => {
    const piece = fc.constantFrom(
      'NaN',
      '-Infinity',
      '"',
      '\\"',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '1',
      '-',
      ' ',
      '"a"',
      'null',
      'e',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        expect(readJsonExactly(text) === undefined).toBe(readJson(text) === undefined)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('values', () => {
  test.each<[unknown, boolean]>([
    [null, false],
    [undefined, false],
    [false, false],
    [0, false],
    [-0, false],
    ['', false],
    [[], false],
    [{}, false],
    [number('0.0'), false],
    [number('-0'), false],
    [true, true],
    [1, true],
    ['0', true],
    [' ', true],
    [[null], true],
    [{ a: null }, true],
    [number('NaN'), true],
    [number('1e-300'), true],
  ])('%o is true: %s', (value, truth) => expect(isTruthy(value)).toBe(truth))

  test.each<[string, boolean]>([
    ['"a"', false],
    ['[null,["a"],{"a":true}]', false],
    ['{"a":[{"b":1}]}', true],
    ['[NaN]', true],
    ['{"1":"a"}', true],
    ['{"01":"a"}', false],
  ])('the text of %s depends on how it is written: %s', (text, depends) =>
    expect(losesSpelling(readJson(text))).toBe(depends),
  )
})
