import { expect, test } from 'vitest'
import { readReceipt } from '../formats/receipt/read-receipt'
import { verifyChain } from '../judge/receipts/verify-chain'
import { sampleReceipts } from './receipts'

test('the sample holds a chain that is valid and complete, and one that a byte breaks at its third receipt; the same bytes every time', async () => {
  const sample = await sampleReceipts()
  expect(await sampleReceipts()).toEqual(sample)
  const [whole, broken] = await Promise.all(
    sample.chains.map(({ text }) =>
      verifyChain(text.trimEnd().split('\n').map(readReceipt), { registered: [sample.key] }),
    ),
  )
  expect(whole).toMatchObject({ state: 'valid', status: 'complete', firstBadIndex: -1 })
  expect(broken).toMatchObject({ state: 'broken', reason: 'signature_invalid', firstBadIndex: 2 })
  expect(sample.chains[0]!.text).not.toContain('"error":null')
})
