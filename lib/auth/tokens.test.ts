import { createHash } from 'node:crypto'
import { defaultKeyHasher } from '@better-auth/api-key'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, hashToken, keyFrom, tokenFrom } from './tokens'

test('keys are hashed as the key plugin hashes them, links as plain SHA-256', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (random) => {
      const key = keyFrom(random)
      expect(hashKey(key)).toBe(await defaultKeyHasher(key))
      const token = tokenFrom(random)
      expect(hashToken(token)).toBe(createHash('sha256').update(token).digest('hex'))
      expect(encodeURIComponent(token)).toBe(token)
    }),
  )
})
