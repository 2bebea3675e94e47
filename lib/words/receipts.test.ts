import { expect, test } from 'vitest'
import { CHAIN_HINTS, CHAIN_REASONS, type ChainHintCode, type ChainReason } from '../model/chain-reasons'
import { VERDICT_FACTS } from '../model/receipt-chain'
import { SILENCE_KINDS } from '../model/silence'
import type { ChainHints, ChainReasons, PushFaults, SilenceFacts } from '../model/messages/receipts'
import {
  CHAIN_HINT_WORDS,
  CHAIN_REASON_WORDS,
  chainReasonWords,
  PUSH_FAULT_WORDS,
  silenceWords,
  VERDICT_FACT_WORDS,
  verdictFactText,
} from './receipts'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const sameEach = <Id extends string>(ids: readonly Id[]): Record<Id, readonly Record<string, never>[]> =>
  Object.fromEntries(ids.map((id) => [id, NONE])) as unknown as Record<Id, readonly Record<string, never>[]>

const REASONS: Samples<ChainReasons> = sameEach<ChainReason>(CHAIN_REASONS)
const HINTS: Samples<ChainHints> = {
  ...sameEach<ChainHintCode>(CHAIN_HINTS),
  receipts_missing: [{ count: 1 }, { count: 1200 }, { count: null }],
}
const FAULTS: Samples<PushFaults> = {
  not_utf8: NONE,
  empty: NONE,
  not_json: NONE,
  not_a_receipt: NONE,
  too_deep: NONE,
  member_missing: [{ path: 'proof.proofValue' }],
}

test('every reason and every hint has words of its own', () => {
  expect(Object.keys(CHAIN_REASON_WORDS)).toEqual([...CHAIN_REASONS])
  expect(Object.keys(CHAIN_HINT_WORDS)).toEqual([...CHAIN_HINTS])
  const words = [wordedSamples(CHAIN_REASON_WORDS, REASONS), wordedSamples(CHAIN_HINT_WORDS, HINTS)]
    .flatMap(Object.values)
    .flat()
  expect(new Set(words).size).toBe(words.length)
})

test('why a chain breaks', () =>
  expect(wordedSamples(CHAIN_REASON_WORDS, REASONS)).toMatchInlineSnapshot(`
  {
    "chain_id_mismatch": [
      "This receipt belongs to a different chain",
    ],
    "final_hash_mismatch": [
      "The last receipt differs from the expected one",
    ],
    "hash_link_broken": [
      "This receipt doesn’t link to the previous one",
    ],
    "key_rotation_invalid": [
      "Invalid key change in this receipt",
    ],
    "key_unusable": [
      "The supplied key can’t be read",
    ],
    "length_mismatch": [
      "The chain length differs from the expected one",
    ],
    "malformed_receipt": [
      "This receipt can’t be checked: it is incomplete or has no canonical form",
    ],
    "not_terminal": [
      "The chain has no end marker",
    ],
    "receipt_after_terminal": [
      "This receipt comes after the end of the chain",
    ],
    "response_hash_mismatch": [
      "The supplied response doesn’t match this receipt",
    ],
    "sequence_invalid": [
      "The number of this receipt doesn’t follow the previous one",
    ],
    "signature_invalid": [
      "Invalid signature for this key",
    ],
  }
`))

test('a reason of a newer version reads as itself', () => {
  expect(chainReasonWords('of_tomorrow')).toBe('of_tomorrow')
  expect(chainReasonWords('toString')).toBe('toString')
})

test('what a break most likely means', () =>
  expect(wordedSamples(CHAIN_HINT_WORDS, HINTS)).toMatchInlineSnapshot(`
    {
      "body_changed": [
        "The body of this receipt was changed after it was signed",
      ],
      "checkpoint_ahead": [
        "A signed checkpoint has later receipts: the end of this chain is missing",
      ],
      "checkpoint_differs": [
        "A signed checkpoint has a different receipt at this position",
      ],
      "duplicated": [
        "A receipt was duplicated or replayed, or two have the same number",
      ],
      "forged_lineage": [
        "The key rotations don’t lead to the current key",
      ],
      "head_missing": [
        "The start of the chain is missing",
      ],
      "nulls_dropped": [
        "The signature is valid without null members. Other verifiers may accept or reject it",
      ],
      "proof_changed": [
        "Only the proof was changed, or it was signed with a different key",
      ],
      "receipts_missing": [
        "1 receipt is missing before this one",
        "1,200 receipts are missing before this one",
        "Receipts are missing before this one",
      ],
      "reordered": [
        "Receipts were reordered",
      ],
      "rotation_not_accepted": [
        "The key change was rejected, or the old key kept signing",
      ],
      "wrong_key": [
        "No signature is valid but every link is: wrong key for this chain, or its current key instead of its first",
      ],
    }
  `))

test('why a receipt that was sent is refused', () =>
  expect(wordedSamples(PUSH_FAULT_WORDS, FAULTS)).toMatchInlineSnapshot(`
    {
      "empty": [
        "the body is empty",
      ],
      "member_missing": [
        "the receipt lacks proof.proofValue",
      ],
      "not_a_receipt": [
        "the body is not a receipt",
      ],
      "not_json": [
        "the body is not one JSON value",
      ],
      "not_utf8": [
        "the body is not UTF-8",
      ],
      "too_deep": [
        "the receipt is nested too deeply",
      ],
    }
  `))

const places = (...numbers: (number | null)[]): SilenceFacts['receipts'] =>
  numbers.map((sequence) => ({ id: null, chainId: 'c', sequence }))

const found = (kind: string, more: Partial<SilenceFacts> = {}): string => {
  const { says, why } = silenceWords({
    kind,
    count: null,
    tool: null,
    rule: null,
    failureBy: null,
    reason: null,
    receipts: places(3, 1200),
    ...more,
  })
  return why === null ? says : `${says} (${why})`
}

test('where a record is silent, or says other than what happened', () =>
  expect([
    found('broken', { reason: 'signature_invalid' }),
    found('broken', { reason: 'of_tomorrow' }),
    found('broken'),
    ...['no_key', 'other_key', 'key_unusable', 'of_tomorrow'].map((reason) => found('unproven', { reason })),
    found('gap', { count: 1, receipts: places(3, 5) }),
    found('gap', { count: 1196 }),
    found('gap'),
    found('dropped', { count: 1 }),
    found('dropped', { count: 3, tool: 'Edit', receipts: places(null) }),
    found('dropped'),
    ...['idempotency_key', 'same_target', 'same_parameters', 'retry_chain', 'of_tomorrow'].map((rule) =>
      found('retry', { rule, tool: 'Edit' }),
    ),
    found('disagrees', { failureBy: 'receipt', tool: 'Edit' }),
    found('disagrees', { failureBy: 'call' }),
    found('unanswered', { tool: 'Bash' }),
    found('of_tomorrow'),
  ]).toMatchInlineSnapshot(`
    [
      "The chain breaks at receipt 1200; nothing after that is proven (Invalid signature for this key)",
      "The chain breaks at receipt 1200; nothing after that is proven (of_tomorrow)",
      "The chain breaks at receipt 1200; nothing after that is proven",
      "No key registered for this chain: its content is unproven",
      "This chain was not signed with any registered key: its content is unproven",
      "The key registered for this chain can’t be read: its content is unproven",
      "The chain could not be verified: its content is unproven",
      "1 receipt is missing between 3 and 5; nothing was recorded there",
      "1,196 receipts are missing between 3 and 1200; nothing was recorded there",
      "Receipts are missing between 3 and 1200; nothing was recorded there",
      "1 event was lost before receipt 1200; nothing was recorded there",
      "3 events were lost before receipt without a number (Edit); nothing was recorded there",
      "Events were lost before receipt 1200 (number unknown); nothing was recorded there",
      "Receipt 1200 (Edit) repeats receipt 3, and no receipt shows a failure (same idempotency key (stated by the issuer))",
      "Receipt 1200 (Edit) repeats receipt 3, and no receipt shows a failure (same agent, tool and target (inferred))",
      "Receipt 1200 (Edit) repeats receipt 3, and no receipt shows a failure (same agent, tool and parameters (inferred))",
      "The failure before receipt 1200 (Edit) left no receipt (the session’s transcript shows the failure (link inferred))",
      "Receipt 1200 (Edit) repeats receipt 3, and no receipt shows a failure (of_tomorrow)",
      "Receipt 1200 (Edit) reports success, but a different receipt of the call shows a failure (status and output disagree)",
      "Receipt 1200 reports success, but another record of the call shows a failure (status and output disagree)",
      "Receipt 1200 (Bash) has no result receipt",
      "of_tomorrow",
    ]
  `))

test('every kind of finding has a sentence', () => {
  for (const kind of SILENCE_KINDS) expect(found(kind).length).toBeGreaterThan(20)
})

test('where two verdicts differ', () => {
  expect(Object.keys(VERDICT_FACT_WORDS)).toEqual([...VERDICT_FACTS])
  expect([
    verdictFactText('state', 'valid'),
    verdictFactText('reason', null),
    verdictFactText('firstBadIndex', -1),
    verdictFactText('firstBadIndex', 1),
    verdictFactText('receipts', 3),
  ]).toEqual(['valid', 'none', 'none', 'position 2', '3'])
})
