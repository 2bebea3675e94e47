import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { canonicalJson } from '@/lib/text/canonical-json'
import { verifyChain, type ChainOptions } from '@/lib/judge/receipts/verify-chain'
import { parsePublicKey, type PublicKey } from '@/lib/judge/receipts/keys'
import { receiptOf } from '@/lib/formats/receipt/read-receipt'
import { hashOf, receiptHash, valueHash } from '@/lib/formats/receipt/receipt-hash'
import { verifySignature } from '@/lib/judge/receipts/signature'
import type { ChainVerdict } from '@/lib/judge/receipts/chain-verdict'
import { jsonDocument, type DocumentCase } from './json-document'

interface Keyed {
  keys: { publicKey: string }
}

const vectors =
  (name: RegExp) =>
  (path: string): boolean =>
    dirname(path).endsWith('receipts/vectors') && name.test(basename(path))
const keyOf = ({ keys }: Keyed): PublicKey => parsePublicKey(keys.publicKey)!
const isSigned = async (receipt: unknown, key: PublicKey): Promise<boolean> =>
  (await verifySignature(receiptOf(receipt), key)).valid
const verified = (receipts: unknown[], key: PublicKey, options?: ChainOptions): Promise<ChainVerdict> =>
  verifyChain(receipts.map(receiptOf), { registered: [key] }, options)

interface CanonicalDocument {
  canonicalization_vectors: { name: string; input: unknown; canonical: string; expectedHash?: string }[]
  receipt_hash_vectors: {
    name: string
    receipt?: unknown
    expectedHash?: string
    mustContainSubstring?: string
    receiptsFrom?: string
  }[]
}

export const canonicalVectors = jsonDocument<CanonicalDocument>(
  'receipts/canonical',
  vectors(/^canonicalization_vectors\.json$/),
  function* (document, path) {
    for (const { name, input, canonical, expectedHash } of document.canonicalization_vectors) {
      yield {
        id: name,
        compare: () => ({
          expected: { canonical, hash: expectedHash },
          got: { canonical: canonicalJson(input), hash: expectedHash && valueHash(input) },
        }),
      }
    }
    const hashes = new Map(
      document.receipt_hash_vectors.map(({ name, expectedHash }) => [name, expectedHash]),
    )
    for (const {
      name,
      receipt,
      expectedHash,
      mustContainSubstring: part,
      receiptsFrom,
    } of document.receipt_hash_vectors) {
      if (receiptsFrom !== undefined) yield { id: name, compare: () => comparePointedTo(receiptsFrom, path) }
      else {
        yield {
          id: name,
          compare: () => {
            const { hashed } = receiptOf(receipt)
            const expected = {
              hash: expectedHash?.startsWith('SAME_AS_')
                ? hashes.get(expectedHash.slice('SAME_AS_'.length))
                : expectedHash,
              holds: true,
            }
            return {
              expected,
              got: {
                hash: hashed === null ? null : hashOf(hashed),
                holds: part === undefined || (hashed?.includes(part) ?? false),
              },
            }
          },
        }
      }
    }
  },
)

/** Receipts of another file that lies beside this one: `folder/name.json#/member/member`. All of them must be signed. */
async function comparePointedTo(pointer: string, path: string): Promise<{ expected: unknown; got: unknown }> {
  const [file, members] = pointer.split('#') as [string, string]
  const document = JSON.parse(readFileSync(join(dirname(path), basename(file)), 'utf8')) as Keyed
  const receipts = members
    .split('/')
    .slice(1)
    .reduce((value: unknown, member) => (value as Record<string, unknown>)[member], document) as unknown[]
  const got = await Promise.all(receipts.map((one) => isSigned(one, keyOf(document))))
  return { expected: receipts.map(() => true), got }
}

interface SdkDocument extends Keyed {
  canonicalization: {
    simpleInput: unknown
    simpleExpected: string
    receiptInput: unknown
    receiptExpected: string
  }
  hashing: { simpleInput: string; simpleExpected: string; receiptExpected: string }
  signing: { signed: unknown }
}

/** Receipts of the three libraries, which sign the same one. */
export const sdkVectors = jsonDocument<SdkDocument>(
  'receipts/sdk',
  vectors(/^(go|py|ts)_vectors\.json$/),
  function* (document) {
    const { canonicalization, hashing, signing } = document
    yield {
      id: 'canonicalization.simple',
      compare: () => ({
        expected: canonicalization.simpleExpected,
        got: canonicalJson(canonicalization.simpleInput),
      }),
    }
    yield {
      id: 'canonicalization.receipt',
      compare: () => ({
        expected: canonicalization.receiptExpected,
        got: canonicalJson(canonicalization.receiptInput),
      }),
    }
    yield {
      id: 'hashing.simple',
      compare: () => ({ expected: hashing.simpleExpected, got: hashOf(hashing.simpleInput) }),
    }
    yield {
      id: 'hashing.receipt',
      compare: () => ({ expected: hashing.receiptExpected, got: receiptHash(receiptOf(signing.signed)) }),
    }
    yield {
      id: 'signing.signed',
      compare: async () => ({ expected: true, got: await isSigned(signing.signed, keyOf(document)) }),
    }
  },
)

interface VersionCase {
  receipt?: unknown
  receipts?: unknown[]
  redactedResponse?: unknown
  expectedHash?: string
  expectedReceiptHash?: string
  expectedValid?: boolean
  expectedValidWithRequireTerminal?: boolean
  expectedWarningCount?: number
}

/** What a version of the format brought: a receipt, a chain or a response under each name. */
export const versionVectors = jsonDocument<Keyed & Record<string, VersionCase>>(
  'receipts/versions',
  vectors(/^v\d+_vectors\.json$/),
  function* (document) {
    for (const [id, one] of Object.entries(document)) {
      if (one.receipt !== undefined) yield { id, compare: () => compareReceipt(one, keyOf(document)) }
      else if (one.receipts !== undefined)
        yield { id, compare: () => compareChain(one, one.receipts!, keyOf(document)) }
      else if (one.redactedResponse !== undefined)
        yield { id, compare: () => ({ expected: one.expectedHash, got: valueHash(one.redactedResponse) }) }
    }
  },
)

const compareReceipt: (one: VersionCase, key: PublicKey) => ReturnType<DocumentCase['compare']> = async (
  { receipt, expectedReceiptHash, expectedValid },
  key,
) => ({
  expected: { hash: expectedReceiptHash, valid: expectedValid },
  got: { hash: receiptHash(receiptOf(receipt)), valid: await isSigned(receipt, key) },
})

async function compareChain(
  one: VersionCase,
  receipts: unknown[],
  key: PublicKey,
): Promise<{ expected: unknown; got: unknown }> {
  const { valid, warnings } = await verified(receipts, key)
  const got: Record<string, unknown> = { valid }
  if (one.expectedValidWithRequireTerminal !== undefined)
    got.terminal = (await verified(receipts, key, { requireTerminal: true })).valid
  if (one.expectedWarningCount !== undefined)
    got.warnings = warnings.filter(({ code }) => code === 'idempotency_key_repeated').length
  return {
    expected: {
      valid: one.expectedValid,
      terminal: one.expectedValidWithRequireTerminal,
      warnings: one.expectedWarningCount,
    },
    got,
  }
}

interface MalformedDocument extends Keyed {
  receipts: { name: string; receipt: unknown }[]
  chains: { name: string; receipts: unknown[] }[]
}

/** What every reader must refuse. */
export const malformedVectors = jsonDocument<MalformedDocument>(
  'receipts/malformed',
  vectors(/^malformed_vectors\.json$/),
  function* (document) {
    for (const { name, receipt } of document.receipts) {
      yield {
        id: name,
        compare: async () => ({ expected: false, got: await isSigned(receipt, keyOf(document)) }),
      }
    }
    for (const { name, receipts } of document.chains) {
      yield {
        id: name,
        compare: async () => ({ expected: false, got: (await verified(receipts, keyOf(document))).valid }),
      }
    }
  },
)
