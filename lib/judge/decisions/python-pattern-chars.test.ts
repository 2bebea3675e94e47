import { expect, test } from 'vitest'
import {
  ASCII_CLASSES,
  complement,
  contains,
  ignoreCase,
  type Ranges,
  UNICODE_CLASSES,
  union,
} from './python-pattern-chars'

const size = (set: Ranges): number => set.reduce((all, [lo, hi]) => all + hi - lo + 1, 0)
const lettersIn = ([lo, hi]: Ranges[number]): string[] =>
  Array.from({ length: hi - lo + 1 }, (_, i) => String.fromCodePoint(lo + i))
const letters = (set: Ranges): string => set.flatMap(lettersIn).join('')

// The numbers are those of Python 3.12.1 (Unicode 15.0), counted over all code points.
test('the classes have as many characters as in Python, and all of them are what they are called', () => {
  const { w, d, s } = UNICODE_CLASSES
  expect([size(w), size(d), size(s)]).toEqual([137_936, 680, 29])
  expect(letters(w)).toMatch(/^[\p{L}\p{N}_]+$/u)
  expect(letters(d)).toMatch(/^\p{Nd}+$/u)
  expect(letters(ASCII_CLASSES.w)).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz')
  expect([letters(ASCII_CLASSES.d), letters(ASCII_CLASSES.s)]).toEqual(['0123456789', '\t\n\v\f\r '])
})

test('sets are joined and turned over without a gap', () => {
  expect(
    union(
      [[5, 9]],
      [
        [1, 2],
        [3, 3],
      ],
      [[8, 12]],
    ),
  ).toEqual([
    [1, 3],
    [5, 12],
  ])
  expect(complement([])).toEqual([[0, 0x10ffff]])
  expect(complement([[0, 0x10ffff]])).toEqual([])
  expect(complement(complement(UNICODE_CLASSES.w))).toEqual(UNICODE_CLASSES.w)
  expect(
    contains(
      [
        [1, 2],
        [5, 5],
      ],
      5,
    ),
  ).toBe(true)
  expect(
    contains(
      [
        [1, 2],
        [5, 5],
      ],
      3,
    ),
  ).toBe(false)
})

test('letter case joins what Python compares as equal, and nothing else', () => {
  const same = (letter: string, ascii = false): string =>
    letters(ignoreCase([[letter.codePointAt(0)!, letter.codePointAt(0)!]], ascii))
  expect(same('k')).toBe('Kk\u212a')
  expect(same('k', true)).toBe('Kk')
  expect(same('\u0130')).toBe('Ii\u0130\u0131')
  expect(same('\u03c3')).toBe('\u03a3\u03c2\u03c3')
  expect(same('\u1e9e')).toBe('\u00df\u1e9e')
  expect(same('\u24d0')).toBe('\u24b6\u24d0')
  expect(same('\u4e2d')).toBe('\u4e2d')
  expect(same('\u00e9', true)).toBe('\u00e9')
  expect(letters(ignoreCase([[0x6a, 0x6c]], false))).toBe('JKLjkl\u212a')
})
