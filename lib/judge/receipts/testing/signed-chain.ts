import { canonicalJson } from '../../../text/canonical-json'
import { parsePublicKey, type PublicKey } from '../keys'
import { readReceipt } from '../../../formats/receipt/read-receipt'
import { base64url } from '../../../text/base64url'
import { receiptHash } from '../../../formats/receipt/receipt-hash'

type Json = Record<string, unknown>

/** A key pair of a test. */
export interface Signer {
  key: PublicKey
  pem: string
  /** The public key as rotations carry it. */
  multibase: string
  sign(text: string): Promise<string>
}

export async function makeSigner(): Promise<Signer> {
  const pair = (await globalThis.crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const spki = new Uint8Array(await globalThis.crypto.subtle.exportKey('spki', pair.publicKey))
  const pem = `-----BEGIN PUBLIC KEY-----\n${btoa(String.fromCharCode(...spki))}\n-----END PUBLIC KEY-----\n`
  const key = parsePublicKey(pem)!
  return {
    key,
    pem,
    multibase: `u${base64url(key.raw)}`,
    sign: async (text) =>
      `u${base64url(new Uint8Array(await globalThis.crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(text))))}`,
  }
}

/** What a test says of a receipt; the rest is the same in all of them. */
export interface Draft {
  id?: string
  chain?: Json
  action?: Json
  outcome?: Json
  subject?: Json
  issuer?: Json
}

/** The text of one signed receipt. */
export async function signReceipt(
  { id = 'urn:receipt:1', chain, action, outcome, subject, issuer }: Draft,
  signer: Signer,
): Promise<string> {
  const unsigned = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id,
    type: ['VerifiableCredential', 'AgentReceipt'],
    version: '0.5.0',
    issuer: { id: 'did:agent:a', ...issuer },
    issuanceDate: '2026-06-01T00:00:00Z',
    credentialSubject: {
      principal: { id: 'did:user:u' },
      action: {
        id: 'act_1',
        type: 'filesystem.file.read',
        risk_level: 'low',
        timestamp: '2026-06-01T00:00:00Z',
        ...action,
      },
      outcome: { status: 'success', ...outcome },
      chain: { sequence: 1, previous_receipt_hash: null, chain_id: 'c', ...chain },
      ...subject,
    },
  }
  const proof = {
    type: 'Ed25519Signature2020',
    created: '2026-06-01T00:00:00Z',
    verificationMethod: 'did:agent:a#key-1',
    proofPurpose: 'assertionMethod',
    proofValue: await signer.sign(canonicalJson(unsigned)),
  }
  return JSON.stringify({ ...unsigned, proof })
}

/** The texts of a chain whose receipts are linked and numbered, each signed by the signer beside it or else by the first. */
export async function signChain(
  drafts: readonly (Draft & { signer?: Signer })[],
  signer: Signer,
): Promise<string[]> {
  const texts: string[] = []
  for (const [i, { signer: own = signer, ...draft }] of drafts.entries()) {
    const before = texts.at(-1)
    const link = before === undefined ? null : receiptHash(readReceipt(before))
    texts.push(
      await signReceipt(
        {
          id: `urn:receipt:${i + 1}`,
          ...draft,
          chain: { sequence: i + 1, previous_receipt_hash: link, ...draft.chain },
        },
        own,
      ),
    )
  }
  return texts
}

/** The object of a rotation from one key to another. */
export const rotationTo = (from: Signer, to: Signer): Json => ({
  event_type: 'key_rotated',
  signed_with: 'old',
  old_algorithm: 'ed25519',
  new_algorithm: 'ed25519',
  old_key_fingerprint: from.key.fingerprint,
  new_key_fingerprint: to.key.fingerprint,
  new_public_key: to.multibase,
})
