import { deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inflate } from './inflate'

const byZlib = (packed: Uint8Array, size: number): boolean => {
  try {
    return inflateSync(packed, { maxOutputLength: size + 1 }).length === size
  } catch {
    return false
  }
}

test('accepts exactly what zlib accepts, also with one flipped bit', () => {
  const content = fc.uint8Array({ minLength: 1, maxLength: 600, max: 7 })
  const level = fc.constantFrom(0, 1, 6, 9)
  fc.assert(
    fc.property(content, level, fc.option(fc.nat()), (bytes, strength, bit) => {
      const packed = Uint8Array.from(deflateSync(bytes, { level: strength }))
      if (bit !== null) packed[(bit >> 3) % packed.length]! ^= 1 << (bit & 7)
      expect(inflate(packed, bytes.length, () => undefined)).toBe(byZlib(packed, bytes.length))
    }),
    { numRuns: 2_000 },
  )
})
