import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBad } from './chain-row'
import type { ChainVerdict } from './chain-verdict'
import { readReceipt } from '../../formats/receipt/read-receipt'
import { makeSigner, signChain } from './testing/signed-chain'
import { verifyChain, type ChainOptions } from './verify-chain'

const signer = await makeSigner()
const chain = await signChain(
  [
    { action: { type: 'é😀\u2028', idempotency_key: '"\\' } },
    { outcome: { status: 'failure', error: 'a\u0000b\ud83d\ude00' } },
    { subject: { numbers: [1.5, -2, 1e21, true] } },
    {},
    {},
  ],
  signer,
)
const verify = (texts: readonly string[], options?: ChainOptions): Promise<ChainVerdict> =>
  verifyChain(texts.map(readReceipt), { registered: [signer.key] }, options)
const anyIndex = fc.nat({ max: chain.length - 1 })

test('any byte of a signed body that is changed is found at its receipt', async () => {
  const bodyBytes = chain.map(
    (text) => new TextEncoder().encode(text.slice(0, text.indexOf(',"proof":'))).length,
  )
  const place = anyIndex.chain((index) =>
    fc.tuple(fc.constant(index), fc.nat({ max: bodyBytes[index]! - 1 }), fc.integer({ min: 1, max: 255 })),
  )
  let changes = 0
  await fc.assert(
    fc.asyncProperty(place, async ([index, at, flip]) => {
      const bytes = new TextEncoder().encode(chain[index])
      bytes[at]! ^= flip
      const changed = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
      const { valid, rows, firstBadIndex } = await verify(chain.with(index, changed))
      if (readReceipt(changed).signed === readReceipt(chain[index]!).signed) {
        expect(valid, 'another spelling of the same').toBe(true)
        return
      }
      changes++
      expect([valid, isBad(rows[index]!)]).toEqual([false, true])
      // The chain's id is that of its first receipt: where that one was changed, all others are another chain's, and the first of them is named.
      expect(firstBadIndex).toBe(index === 0 && rows[1]!.foreign ? 1 : index)
    }),
    { numRuns: 600 },
  )
  expect(changes).toBeGreaterThan(500)
})

test('what a proof says beside its signature can be changed by anyone, and proves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyIndex,
      fc.string(),
      fc.string(),
      fc.dictionary(fc.constantFrom('x', 'nonce', '__proto__'), fc.string()),
      async (index, created, verificationMethod, more) => {
        const receipt = JSON.parse(chain[index]!) as { proof: object }
        const changed = JSON.stringify({
          ...receipt,
          proof: { ...receipt.proof, created, verificationMethod, ...more },
        })
        expect(await verify(chain.with(index, changed))).toMatchObject({ state: 'valid', firstBadIndex: -1 })
      },
    ),
  )
})

test('what was cut off at the end shows with a witness only, and what was cut out always', async () => {
  await fc.assert(
    fc.asyncProperty(anyIndex, fc.integer({ min: 1, max: 3 }), async (from, count) => {
      const left = chain.toSpliced(from, count)
      const atEnd = from + count >= chain.length
      const verdict = await verify(left)
      if (!atEnd) {
        expect(verdict).toMatchObject({ state: 'broken', firstBadIndex: from, reason: 'hash_link_broken' })
        return
      }
      expect(verdict).toMatchObject({ state: left.length === 0 ? 'no_receipts' : 'valid', status: 'unknown' })
      expect(await verify(left, { length: chain.length })).toMatchObject({
        state: 'broken',
        reason: 'length_mismatch',
      })
    }),
  )
})

test('another order is found where it begins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(chain, { minLength: chain.length }), async (texts) => {
      const moved = texts.findIndex((text, i) => text !== chain[i])
      expect((await verify(texts)).firstBadIndex).toBe(moved)
    }),
  )
})
