import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decimalKey,
  integerDigits,
  integerKey,
  isDoubleImage,
  isFrom0To1,
  isInteger,
  isSameNumber,
  spellingsOf,
  WrittenNumber,
} from './exact-number'

const written = (text: string): WrittenNumber => new WrittenNumber(text)

describe('exact values', () => {
  test.each([
    ['1', '1.0'],
    ['1', '1e0'],
    ['100', '1e2'],
    ['0.1', '1E-1'],
    ['0', '-0.000e7'],
    ['-1.50', '-15e-1'],
    ['9007199254740993', '9007199254740993.0'],
    ['1e400', '10e399'],
    ['1e0000000000000000000002', '100'],
    ['1e-0000000000000000000001', '0.1'],
  ])('%s and %s are one', (a, b) => {
    expect(decimalKey(a)).toBe(decimalKey(b))
    expect(isSameNumber(written(a), written(b))).toBe(true)
  })

  test.each([
    ['1', '-1'],
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.10000000000000000555'],
    ['1e400', '1e401'],
    ['1', '1e-0000000000000000000001'],
  ])('%s and %s are not', (a, b) => expect(decimalKey(a)).not.toBe(decimalKey(b)))

  test('a point can move through the digits', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 40 }), (integer, places) => {
        const text = String(integer < 0n ? -integer : integer).padStart(places + 1, '0')
        const spelled = `${integer < 0n ? '-' : ''}${text.slice(0, text.length - places)}${places > 0 ? `.${text.slice(-places)}` : ''}e${places}`
        return decimalKey(spelled) === decimalKey(String(integer))
      }),
    )
  })

  test('both spellings of a double read back as it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) =>
        spellingsOf(double).every((key) => Object.is(Number(key) + 0, double + 0)),
      ),
    )
    expect(spellingsOf(0.1)[1]).toBe('1000000000000000055511151231257827021181583404541015625e-55')
    expect(spellingsOf(5e-324)[1]).toMatch(/^49406564584124654.*5e-1074$/)
  })
})

test.each<[string, string, boolean]>([
  ['576421594269343216', '576421594269343200', true],
  ['669322931951966639', '669322931951966592', true],
  ['669322931951966639', '669322931951966640', false],
  ['0.1', '0.10000000000000000555', true],
  ['0.10000000000000000554', '0.10000000000000000555', false],
  ['1', '1.0', false],
  ['1e400', '1e401', false],
  ['1', '2', false],
  ['576421594269343216', '5.764215942693432e+17', true],
  ['-1e-400', '0', true],
  ['1e-400', '-0', true],
  ['-1e-400', '1e-400', false],
])('%s and %s: one is the other through a double: %s', (a, b, is) =>
  expect([isDoubleImage(a, b), isDoubleImage(b, a)]).toEqual([is, is]),
)

test.each<[unknown, string | null]>([
  ['12', '12'],
  ['-12', '-12'],
  ['1.0', null],
  [' 1', null],
  ['', null],
  ['１', null],
  [12, '12'],
  [1.5, null],
  [written('562927675733336035'), '562927675733336035'],
  [written('5.0'), '5'],
  [written('5e3'), '5000'],
  [written('0e5'), '0'],
  [written('5e-1'), null],
  [written('1e999999'), null],
  [true, null],
  [null, null],
  [written('-0'), '0'],
  [written('-0.0'), '0'],
  [written('NaN'), null],
  [written('Infinity'), null],
])('the digits of %o are %s', (value, digits) => expect(integerDigits(value)).toBe(digits))

test.each<[string, boolean]>([
  ['1', true],
  ['-0', true],
  ['5.0', true],
  ['5e-1', false],
  ['50e-1', true],
  ['1e400', true],
  ['1.5e1', true],
  ['1.55e1', false],
  ['1e999999999', true],
  ['1e9999999999999999999999', true],
  ['0.1e9999999999999999999999', true],
  ['1e-9999999999999999999999', false],
  ['0.0e-9999999999999999999999', true],
  ['1.55e00000000000000000001', false],
  ['NaN', false],
  ['-Infinity', false],
])('%s is an integer: %s', (text, is) => expect(isInteger(written(text))).toBe(is))

test('an integer has one key, however it is written, and one that no memory holds has one too', () => {
  const [zeros, many] = ['0'.repeat(400), '0'.repeat(64)]
  for (const same of [
    [written('1e400'), written('10.0e399'), `1${zeros}`, written(`1${zeros}`)],
    [written('-12e400'), `-12${zeros}`],
    [written(`1e64`), `1${many}`, written(`1${many}`)],
    [written('-0'), written('0e9'), '0', 0],
  ])
    expect(new Set(same.map(integerKey)).size).toBe(1)
  expect(
    [
      written('1e400'),
      written('1e401'),
      `01${zeros}`,
      zeros,
      '-0',
      '07',
      written('1e99999999999'),
      '1.0',
      null,
    ].map(integerKey),
  ).toEqual(['1e400', '1e401', '01e400', zeros, '-0', '07', '1e99999999999', null, null])
})

test.each<[string, boolean]>([
  ['0', true],
  ['-0', true],
  ['1', true],
  ['1.000', true],
  ['1E0', true],
  ['0.5', true],
  ['1.0000000000000000000001', false],
  ['-0.0000001', false],
  ['10e-1', true],
  ['11e-1', false],
  ['1e-400', true],
  ['1e400', false],
])('%s lies from 0 to 1: %s', (text, is) => expect(isFrom0To1(written(text))).toBe(is))
