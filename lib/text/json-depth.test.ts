import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasMoreValues, isClosed, isTooDeep } from './json-depth'
import { eachJsonValue } from './json-values'

const nested = (n: number) => '['.repeat(n) + ']'.repeat(n)
const depthOf = (v: unknown): number =>
  typeof v === 'object' && v !== null ? 1 + Math.max(0, ...Object.values(v).map(depthOf)) : 0

describe('depth', () => {
  test.each([
    [nested(5), 5, false],
    [nested(6), 5, true],
    [`"${nested(9)}"`, 5, false],
    [`["\\"[[[[[[[["]`, 2, false],
    ['[]'.repeat(50), 5, false],
    ['{"a":[{"b":[]}]}', 3, true],
  ])('%s deeper than %i: %s', (text, max, want) => expect(isTooDeep(text, max)).toBe(want))
  test('is the one that the value has', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(5), (value, max) => {
        expect(isTooDeep(JSON.stringify(value), max)).toBe(depthOf(value) > max)
      }),
    )
  })
  test('a million levels are answered, not walked into', () =>
    expect(isTooDeep('['.repeat(1_000_000), 512)).toBe(true))
})

describe('counting values', () => {
  const valuesOf = (v: unknown): number =>
    typeof v === 'object' && v !== null
      ? // What an empty list or object could hold is counted as one.
        1 +
        Math.max(
          1,
          Object.values(v).reduce<number>((sum, one) => sum + valuesOf(one), 0),
        )
      : 1
  test('finds as many as there are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const [text, count] = [JSON.stringify(value), valuesOf(value)]
        expect(hasMoreValues(text, count)).toBe(false)
        if (text.length >= 2 * (count - 1)) expect(hasMoreValues(text, count - 1)).toBe(count > 1)
      }),
    )
  })
  test('a text that ends inside of a value is not closed', () => {
    for (const text of ['[1', '{"a":[]', '["]']) expect(isClosed(text), text).toBe(false)
    for (const text of ['[1]', '{"a":["]"]}', '{}\r']) expect(isClosed(text), text).toBe(true)
  })
})

describe('values of a JSON text', () => {
  const paths = (value: unknown, path: string[] = []): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([k, v]) => paths(v, [...path, Array.isArray(value) ? '' : k]))
      : typeof value === 'string'
        ? [[path.join('/'), value]]
        : []
  test('are all strings with the keys that lead there', () => {
    const text = fc
      .string({ unit: 'grapheme' })
      .map((s) => s.replace(/[\\"/]/g, '_').replace(/[\u0000-\u001f]/g, ''))
    const json = fc.object({
      key: text,
      values: [
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ],
    })
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1), (value, space) => {
        const source = JSON.stringify(value, null, space)
        const seen: [string, string][] = []
        const sound = eachJsonValue(source, (leaf, path) => {
          if (leaf.isString)
            seen.push([path.join('/'), JSON.parse(`"${source.slice(leaf.start, leaf.end)}"`) as string])
          else expect(Number(source.slice(leaf.start, leaf.end))).not.toBeNaN()
        })
        expect(sound).toBe(true)
        expect(seen).toEqual(paths(JSON.parse(source)))
      }),
    )
  })
  test.each(['', 'x', '"a"', '12', '{"a":"b', '{"a":1]', '{}{}', '{} x', '[1,2', 'x {}'])(
    '%j is no object or list of sound shape',
    (text) => {
      expect(eachJsonValue(text, () => undefined)).toBe(false)
    },
  )
})
