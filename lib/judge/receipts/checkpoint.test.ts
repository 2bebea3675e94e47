import { expect, test } from 'vitest'
import { canonicalJson } from '../../text/canonical-json'
import { verifyCheckpoint } from './checkpoint'
import { makeSigner } from './testing/signed-chain'

const [signer, other] = await Promise.all([makeSigner(), makeSigner()])
const signed = { chain_id: 'c', sequence: 4, receipt_hash: 'sha256:a', timestamp: '2026-09-01T00:00:00Z' }
const whole = {
  ...signed,
  verification_method: 'did:agent:a#key-1',
  signature: await signer.sign(canonicalJson(signed)),
}

test('a signed checkpoint is read', async () => {
  expect(await verifyCheckpoint(whole, signer.key)).toEqual({
    chainId: 'c',
    sequence: 4,
    receiptHash: 'sha256:a',
    timestamp: signed.timestamp,
  })
})

test('which method it names is not signed', async () => {
  expect(await verifyCheckpoint({ ...whole, verification_method: 'x', more: 1 }, signer.key)).not.toBeNull()
})

test.each([
  { ...whole, sequence: 5 },
  { ...whole, sequence: '4' },
  { ...whole, chain_id: 'd' },
  { ...whole, receipt_hash: 'sha256:b' },
  { ...whole, timestamp: null },
  { ...whole, chain_id: '\ud800' },
  { ...whole, signature: `${whole.signature}A` },
  signed,
  null,
  [whole],
])('%j is none', async (value) => expect(await verifyCheckpoint(value, signer.key)).toBeNull())

test('nor is one that another key signed', async () =>
  expect(await verifyCheckpoint(whole, other.key)).toBeNull())
