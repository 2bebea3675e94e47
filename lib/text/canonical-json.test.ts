import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical-json'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, shuffled(one)]),
  )
}
// Strings of any units: those without a form are left to the tests below.
const anyJson = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })

describe('the canonical form', () => {
  test('of itself is itself, and means the same', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const form = canonicalJson(value)
        expect(canonicalJson(JSON.parse(form))).toBe(form)
        expect(JSON.parse(form)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('does not depend on the order of keys or on blanks', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(JSON.parse(JSON.stringify(shuffled(value), null, 1)))).toBe(canonicalJson(value))
      }),
    )
  })

  test.each([
    ['{"\ufb33":1,"😀":2,"10":3,"2":4,"":5}', '{"":5,"10":3,"2":4,"😀":2,"\ufb33":1}'],
    ['[-0,1.0,1E2,1e21,0.000001,1e-7,9007199254740993]', '[0,1,100,1e+21,0.000001,1e-7,9007199254740992]'],
    ['"\\u001F\\u0008\\/\\u007f\\u2028<>&\\u00e9e\\u0301"', '"\\u001f\\b/\u007f\u2028<>&ée\u0301"'],
    ['{"__proto__":{"toJSON":1},"constructor":null}', '{"__proto__":{"toJSON":1},"constructor":null}'],
  ])('of %s', (text, form) => expect(canonicalJson(JSON.parse(text))).toBe(form))

  test.each([
    ['1e400', 'number'],
    ['[-1e400]', 'number'],
    ['"\\ud800"', 'surrogate'],
    ['"\\udc00\\ud800"', 'surrogate'],
    ['{"\\ud83dx":1}', 'surrogate'],
    [`${'['.repeat(513)}${']'.repeat(513)}`, 'depth'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'depth'],
  ])('there is none of %.30s', (text, why) =>
    expect(() => canonicalJson(JSON.parse(text))).toThrow(expect.objectContaining({ why })),
  )

  test('leaves out what JSON cannot say', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, () => 1], c: () => 1 })).toBe('{"a":[null,null]}')
  })
})
