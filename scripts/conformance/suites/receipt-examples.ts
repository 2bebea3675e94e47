import { dirname } from 'node:path'
import { didKeyOf, parseMultibaseKey, parsePublicKey, type PublicKey } from '@/lib/judge/receipts/keys'
import { readRotation } from '@/lib/judge/receipts/key-rotation'
import { receiptOf } from '@/lib/formats/receipt/read-receipt'
import { verifySignature } from '@/lib/judge/receipts/signature'
import { jsonDocument } from './json-document'

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

interface DidKeyDocument {
  vectors: {
    name: string
    public_key_hex: string
    did: string
    did_document: { verificationMethod: { id: string }[] }
  }[]
}

/** Names of keys, and the keys that they say. */
export const didKeys = jsonDocument<DidKeyDocument>(
  'receipts/did-key',
  (path) => path.endsWith('receipts/test-vectors/did-key.json'),
  function* (document) {
    for (const {
      name,
      public_key_hex: expectedKey,
      did,
      did_document: { verificationMethod },
    } of document.vectors) {
      yield {
        id: name,
        compare: () => {
          const [key, byMethod] = [parsePublicKey(did), parsePublicKey(verificationMethod[0]!.id)]
          return {
            expected: { key: expectedKey, byMethod: expectedKey, did },
            got: {
              key: key && hex(key.raw),
              byMethod: byMethod && hex(byMethod.raw),
              did: key && didKeyOf(key),
            },
          }
        },
      }
    }
  },
)

interface RotationDocument {
  credentialSubject: {
    keyRotation: { new_public_key: string; new_key_fingerprint: string; old_key_fingerprint: string }
  }
}

/** A rotation whose old key is known by its fingerprint only. */
export const rotationEvent = jsonDocument<RotationDocument>(
  'receipts/rotation',
  (path) => path.endsWith('receipts/test-vectors/rotation-event.json'),
  function* (document) {
    const {
      new_public_key: key,
      new_key_fingerprint: next,
      old_key_fingerprint: old,
    } = document.credentialSubject.keyRotation
    yield {
      id: 'rotation-event',
      compare: () => {
        const { malformed, facts } = receiptOf(document)
        const read = readRotation(facts.keyRotation, { raw: new Uint8Array(32), fingerprint: old })
        return {
          expected: { malformed: null, key: next, next },
          got: {
            malformed,
            key: parseMultibaseKey(key)?.fingerprint,
            next: 'next' in read ? read.next.fingerprint : read.fault,
          },
        }
      },
    }
  },
)

/** Examples are signed by keys that nobody published: they are read, and their signatures are no error but not valid. */
export const receiptExamples = jsonDocument<unknown>(
  'receipts/examples',
  (path) => dirname(path).endsWith('receipts/examples') && path.endsWith('.json'),
  function* (document) {
    yield {
      id: 'receipt',
      compare: async () => {
        const receipt = receiptOf(document)
        return {
          expected: { malformed: null, valid: false },
          got: { malformed: receipt.malformed, valid: (await verifySignature(receipt, someKey)).valid },
        }
      },
    }
  },
)

/** The first public key of RFC 8032 §7.1. */
const someKey: PublicKey = parsePublicKey('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw')!
