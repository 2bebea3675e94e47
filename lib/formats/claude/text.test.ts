import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipStart, digestOf, digestOfJson, idText, targetText, timeOf } from './text'
import { capText } from '../../text/cap-text'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  )
}

describe('digests', () => {
  test('do not depend on the order of keys', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => digestOfJson(value) === digestOfJson(shuffled(value))))
  })

  test('are equal for equal values only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
        expect(digestOfJson(a) === digestOfJson(b)).toBe(same)
      }),
    )
    expect(digestOfJson(['a', 'b'])).not.toBe(digestOfJson(['ab']))
    expect(digestOfJson('1')).not.toBe(digestOfJson(1))
    expect(digestOfJson({ a: [] })).not.toBe(digestOfJson({ a: {} }))
  })

  test('read long texts in pieces without losing or splitting a character', () => {
    const long = `x${'🧨'.repeat(100_000)}`
    expect(digestOf(long)).not.toBe(digestOf(`${long}y`))
    expect(digestOf(long.slice(0, -2))).not.toBe(digestOf(long))
    // SHA-256 of a million letters a is in the standard.
    expect(digestOf('a'.repeat(1_000_000))).toBe('cdc76e5c9914fb9281a1c7e284d73e67')
  })
})

describe('cuts', () => {
  test('never split a character, and never exceed their bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        for (const cut of [capText(text, max), clipStart(text, max)]) {
          expect(cut.length).toBeLessThanOrEqual(max)
          expect(cut).not.toMatch(/\p{Surrogate}/u)
        }
        expect(text.startsWith(capText(text, max))).toBe(true)
        expect(text.endsWith(clipStart(text, max))).toBe(true)
      }),
    )
  })

  test('of ids and targets keep different ones different', () => {
    const long = 'z'.repeat(5_000)
    for (const cut of [idText, targetText]) {
      expect(cut('short')).toBe('short')
      expect(cut(`${long}a`)).not.toBe(cut(`${long}b`))
      expect(cut(long).length).toBeLessThanOrEqual(2_000)
    }
  })
})

test.each<[string | null, string | null]>([
  ['2026-01-08T20:53:23.476Z', '2026-01-08T20:53:23.476Z'],
  ['2025-06-14T11:00:00Z', '2025-06-14T11:00:00.000Z'],
  ['2026-03-01T01:30:00+02:00', '2026-02-28T23:30:00.000Z'],
  ['2026-02-30T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ['2026-13-01T00:00:00.000Z', null],
  ['yesterday', null],
  ['+275760-09-13T00:00:00.000Z', null],
  ['', null],
  [null, null],
])('the time of %j is %j', (text, want) => expect(timeOf(text)).toBe(want))
