import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from './python-display'
import { readJsonExactly } from './python-json'
import { PeerRaises } from './python-values'

const shown = (json: string): string => textOf(readJsonExactly(json))

/** Each was shown so by Python 3.11. */
describe('a value as Python shows it', () => {
  test.each([
    ['1.0', '1.0'],
    ['-0', '0'],
    ['-0.0', '-0.0'],
    ['0e9', '0.0'],
    ['1E5', '100000.0'],
    ['1e15', '1000000000000000.0'],
    ['1e16', '1e+16'],
    ['1e22', '1e+22'],
    ['123456.789e3', '123456789.0'],
    ['-2.5E+20', '-2.5e+20'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['0.00001234', '1.234e-05'],
    ['2.5e-7', '2.5e-07'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['1e400', 'inf'],
    ['-1e400', '-inf'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.0', '9007199254740992.0'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['12345678901234567890.5', '1.2345678901234567e+19'],
    ['NaN', 'nan'],
    ['Infinity', 'inf'],
    ['-Infinity', '-inf'],
    ['true', 'True'],
    ['false', 'False'],
    ['null', 'None'],
    ['[]', '[]'],
    ['{}', '{}'],
    ['{"a": 1, "b": [1, null, 2.50]}', "{'a': 1, 'b': [1, None, 2.5]}"],
    ['{"b": 1, "2": 2, "1": 3, "b": 4}', "{'b': 4, '2': 2, '1': 3}"],
  ])('%s', (json, text) => expect(shown(json)).toBe(text))

  test.each([
    ['plain', "'plain'"],
    ["it's", '"it\'s"'],
    ['say "x"', '\'say "x"\''],
    ['it\'s "x"', "'it\\'s \"x\"'"],
    ['\\', "'\\\\'"],
    ['a\tb\nc\rd', "'a\\tb\\nc\\rd'"],
    ['\x00\x1f\x7f\x80\x9f\xa0\xad', "'\\x00\\x1f\\x7f\\x80\\x9f\\xa0\\xad'"],
    ['\u200b\u2028\u3000\ufeff', "'\\u200b\\u2028\\u3000\\ufeff'"],
    ['é😀', "'é😀'"],
    ['\ud800', "'\\ud800'"],
    ['\u{e0001}\u{10ffff}', "'\\U000e0001\\U0010ffff'"],
    ['a b', "'a b'"],
  ])('the text %j among others', (text, quoted) => expect(textOf([text])).toBe(`[${quoted}]`))

  test.each(['', "it's", 'a\n\\', '\x00\ud800'])('the text %j by itself stays as it is', (text) =>
    expect(textOf(text)).toBe(text),
  )

  test('a finite float reads back as the same one, and never as an integer', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = Object.is(value, -0) ? '-0.0' : value.toExponential()
        const text = shown(written)
        expect(Number(text)).toBe(value)
        expect(text).toMatch(/[.e]/)
      }),
    )
  })

  test('integers that Python refuses to read', () => {
    expect(shown('1'.repeat(4_300))).toHaveLength(4_300)
    expect(shown(`-${'1'.repeat(4_300)}`)).toHaveLength(4_301)
    expect(() => shown('1'.repeat(4_301))).toThrow(PeerRaises)
    expect(() => shown('1'.repeat(4_000_000))).toThrow(PeerRaises)
  })
})
