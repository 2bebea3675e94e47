import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatAbsolute,
  formatBytes,
  formatClock,
  formatCost,
  formatCount,
  formatDuration,
  formatRelative,
  plural,
  shortDigest,
  shortenMiddle,
} from './format'

test.each([
  [0, '0 ms'],
  [340, '340 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [4_230, '4.2 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [59_949, '60 s'],
  [60_000, '1 min 00 s'],
  [185_000, '3 min 05 s'],
  [7_620_000, '2 h 07 min'],
  [86_400_000 * 3 + 3_600_000 * 4, '3 d 4 h'],
  [-1, '–'],
  [NaN, '–'],
])('a duration of %d ms reads "%s"', (ms, want) => expect(formatDuration(ms)).toBe(want))

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [1023, '1,023 B'],
  [4096, '4.0 KiB'],
  [64_274_432, '61.3 MiB'],
  [1024 ** 3, '1.0 GiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
])('%d bytes read "%s"', (bytes, want) => expect(formatBytes(bytes)).toBe(want))

describe('relative times', () => {
  const now = Date.UTC(2026, 10, 21, 12)
  test.each([
    [0, 'just now'],
    [9, 'just now'],
    [42, '42 s ago'],
    [61, '1 min ago'],
    [3_599, '59 min ago'],
    [7_300, '2 h ago'],
    [86_400 * 59, '59 d ago'],
    [86_400 * 70, '2 mo ago'],
    [86_400 * 800, '2 y ago'],
    [-120, 'in 2 min'],
  ])('%d seconds back reads "%s"', (seconds, want) =>
    expect(formatRelative(now - seconds * 1000, now)).toBe(want),
  )
})

test('absolute times name their zone and lose nothing but milliseconds', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
      (date) => {
        const at = date.getTime()
        const text = formatAbsolute(at)
        expect(Date.parse(text.replace(' UTC', 'Z').replace(' ', 'T'))).toBe(Math.floor(at / 1000) * 1000)
        expect(Date.parse(`${text.slice(0, 10)}T${formatClock(at)}Z`)).toBe(at)
      },
    ),
  )
})

test('a shortened text is never longer than asked, keeps both ends and carries the mark', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 0, maxLength: 200 }), fc.integer({ min: 8, max: 80 }), (text, max) => {
      const short = shortenMiddle(text, max)
      expect(short.length).toBeLessThanOrEqual(Math.max(max, 0))
      if (text.length > max) {
        expect(short).toContain('…')
        expect(text.startsWith(short.split('…')[0]!.slice(0, 1))).toBe(true)
        expect(short.at(-1)).toBe(text.at(-1))
      } else expect(short).toBe(text)
    }),
  )
})

test('counts are grouped and agree with their noun', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(plural(1, 'call')).toBe('1 call')
  expect(plural(0, 'call')).toBe('0 calls')
  expect(plural(2, 'attempt', 'attempts')).toBe('2 attempts')
})

test('digests and costs', () => {
  expect(shortDigest('a'.repeat(64))).toBe(`${'a'.repeat(12)}…`)
  expect(shortDigest('short')).toBe('short')
  expect(formatCost(0.0123)).toBe('$0.0123')
  expect(formatCost(1.5)).toBe('$1.50')
})
