import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSha256 } from './sha256'

test('the digest of Node and the one for browsers say the same, in whatever pieces the bytes come', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (pieces) => {
      const expected = createHash('sha256').update(Buffer.concat(pieces)).digest('hex')
      for (const hash of [createSha256(), createSha256(null)]) {
        for (const piece of pieces) hash.update(piece)
        expect(hash.hex()).toBe(expected)
      }
    }),
  )
})
