import { expect, test } from 'vitest'
import { readReceipt } from '../../formats/receipt/read-receipt'
import { readSignature, verifySignature } from './signature'
import { makeSigner, signReceipt } from './testing/signed-chain'

const signer = await makeSigner()
const text = await signReceipt({}, signer)
const verdictOf = (changed: string) => verifySignature(readReceipt(changed), signer.key)

test('a signature holds over the receipt as received, in whatever order its keys stand', async () => {
  expect(await verdictOf(text)).toEqual({ valid: true, over: 'received' })
  const { proof, ...rest } = JSON.parse(text) as { proof: unknown }
  expect(
    await verdictOf(
      JSON.stringify({ proof, ...Object.fromEntries(Object.entries(rest).toReversed()) }, null, 2),
    ),
  ).toEqual({ valid: true, over: 'received' })
})

test.each([
  ['another type', '"Ed25519Signature2020"', '"RsaSignature2018"', 'proof_type'],
  ['another multibase', '"proofValue":"u', '"proofValue":"z', 'proof_value'],
  ['another body', '"filesystem.file.read"', '"filesystem.file.reed"', 'signature'],
  ['a member that was not signed', '"status":"success"', '"status":"success","error":"x"', 'signature'],
])('%s is refused', async (_, from, to, fault) => {
  expect(await verdictOf(text.replace(from, to))).toEqual({ valid: false, fault })
})

test.each([
  ['purpose', '"assertionMethod"', '"authentication"'],
  ['time', '"created":"2026', '"created":"1999'],
  ['method', '"verificationMethod":"', '"verificationMethod":"x'],
])('another %s of the proof is no break: it is not signed', async (_, from, to) => {
  expect(text).toContain(from)
  expect(await verdictOf(text.replace(from, to))).toEqual({ valid: true, over: 'received' })
})

test('a missing proof is no error', async () => {
  const { proof: _, ...rest } = JSON.parse(text) as { proof: unknown }
  expect(await verdictOf(JSON.stringify(rest))).toEqual({ valid: false, fault: 'proof_type' })
})

test('when and by which method it was signed is not proven, and changes nothing', async () => {
  const changed = text.replace('"created":"2026', '"created":"1999').replace('#key-1', '#key-2')
  expect([changed === text, await verdictOf(changed)]).toEqual([false, { valid: true, over: 'received' }])
})

test('a signature over the nulls as received is told from one over what is left without them', async () => {
  expect(await verdictOf(await signReceipt({ outcome: { error: null } }, signer))).toEqual({
    valid: true,
    over: 'received',
  })
  expect(await verdictOf(text.replace('"status":"success"', '"status":"success","error":null'))).toEqual({
    valid: true,
    over: 'nulls_dropped',
  })
})

test('the text of a signature is read strictly', () => {
  const right = /"proofValue":"([^"]+)"/.exec(text)![1]!
  expect(readSignature(right)).toHaveLength(64)
  for (const wrong of [
    right.slice(0, -1),
    `${right}A`,
    `${right}==`,
    `${right.slice(0, -1)}+`,
    right.slice(1),
    `${right}\n`,
    'u',
    '',
    null,
    [right],
  ])
    expect(readSignature(wrong), String(wrong)).toBeNull()
})
