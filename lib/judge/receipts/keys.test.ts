import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { readBase58, writeBase58 } from './base58'
import { didKeyOf, parseMultibaseKey, parsePublicKey } from './keys'
import { makeSigner } from './testing/signed-chain'

const PEM =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n'
const DID = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw'
const MULTIBASE = 'u11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
const FINGERPRINT = 'sha256:21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9'

test.each([
  PEM,
  PEM.replace('\n', '\r\n'),
  `  ${DID}\n`,
  `${DID}#${DID.slice('did:key:'.length)}`,
  MULTIBASE,
])('%j is the same key', (text) => {
  expect(parsePublicKey(text)?.fingerprint).toBe(FINGERPRINT)
})

test.each([
  '',
  'garbage',
  PEM.replace('BEGIN PUBLIC', 'BEGIN PRIVATE'),
  PEM.replace('MCow', 'MCox'),
  PEM.replace('HURo=', ''),
  `${PEM}${PEM}`,
  DID.replace('z6M', 'z6L'),
  `${DID}1`,
  DID.replace('z6', 'u6'),
  `did:key:z${'1'.repeat(100_000)}`,
  DID.replace('6', '0'),
  MULTIBASE.slice(0, -1),
  `${MULTIBASE}A`,
  MULTIBASE.replace('_', '/'),
  `${MULTIBASE}=`,
])('%j is none', (text) => expect(parsePublicKey(text)).toBeNull())

test.each([undefined, null, 7, ['u']])('%o is no key of a rotation', (value) =>
  expect(parseMultibaseKey(value)).toBeNull(),
)

test('a key has a name that says it', async () => {
  const { key } = await makeSigner()
  expect([didKeyOf(parsePublicKey(PEM)!), parsePublicKey(didKeyOf(key))]).toEqual([DID, key])
})

describe('base58', () => {
  test('any bytes come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(readBase58(writeBase58(bytes))).toEqual(Uint8Array.from(bytes))
      }),
    )
  })

  test.each(['0', 'O', 'I', 'l', 'é', ' 1'])('%j is none', (text) => expect(readBase58(text)).toBeNull())
})
