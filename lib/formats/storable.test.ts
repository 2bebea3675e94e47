import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storable, storableDeep } from './storable'

test.each([
  ['a\u0000b', 'a␀b'],
  ['x\ud800', 'x\ufffd'],
  ['\udc00y', '\ufffdy'],
  ['😀', '😀'],
  ['\udc00\ud800', '\ufffd\ufffd'],
  ['plain', 'plain'],
])('%j becomes %j', (text, want) => expect(storable(text)).toBe(want))

test('what comes out has no NUL and is well-formed, whatever went in', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('\u0000', '\ud83d', '\ude00', 'a')),
      (a, b) => {
        const text = storable(a + b.join(''))
        expect(text).not.toContain('\u0000')
        expect(new TextDecoder().decode(new TextEncoder().encode(text))).toBe(text)
      },
    ),
  )
})

test('reaches strings and keys at any depth, and hands back what needs no change', () => {
  expect(storableDeep({ a: [{ 'k\u0000': 'v\ud800' }], n: 1, z: null })).toEqual({
    a: [{ 'k␀': 'v\ufffd' }],
    n: 1,
    z: null,
  })
  const same = { a: ['b'], c: { d: 1 } }
  expect(storableDeep(same)).toBe(same)
})
