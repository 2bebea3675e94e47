import type { NoParams } from '../model/message'
import type {
  ChainHints,
  ChainReasons,
  PushFaults,
  SilenceFacts,
  SilenceMessages,
} from '../model/messages/receipts'
import type { VerdictDifference } from '../model/receipt-chain'
import type { RepeatRule, SilenceFinding } from '../model/silence'
import type { ChainHintCode, UnprovenState } from '../model/chain-reasons'
import type { Catalogue } from './catalogue'
import { capital, some } from './phrases'

/** Why a chain breaks at a receipt. */
export const CHAIN_REASON_WORDS: Catalogue<ChainReasons> = {
  malformed_receipt: () => 'This receipt can’t be checked: it is incomplete or has no canonical form',
  chain_id_mismatch: () => 'This receipt belongs to a different chain',
  signature_invalid: () => 'Invalid signature for this key',
  key_rotation_invalid: () => 'Invalid key change in this receipt',
  hash_link_broken: () => 'This receipt doesn’t link to the previous one',
  sequence_invalid: () => 'The number of this receipt doesn’t follow the previous one',
  receipt_after_terminal: () => 'This receipt comes after the end of the chain',
  response_hash_mismatch: () => 'The supplied response doesn’t match this receipt',
  length_mismatch: () => 'The chain length differs from the expected one',
  final_hash_mismatch: () => 'The last receipt differs from the expected one',
  not_terminal: () => 'The chain has no end marker',
  key_unusable: () => 'The supplied key can’t be read',
}

/** A reason in words; one that only a newer version knows reads as itself. */
export const chainReasonWords = (reason: string): string =>
  Object.hasOwn(CHAIN_REASON_WORDS, reason)
    ? CHAIN_REASON_WORDS[reason as keyof ChainReasons]({} as NoParams)
    : reason

/** What a pattern of breaks most likely means. */
export const CHAIN_HINT_WORDS: Catalogue<ChainHints> = {
  proof_changed: () => 'Only the proof was changed, or it was signed with a different key',
  body_changed: () => 'The body of this receipt was changed after it was signed',
  wrong_key: () =>
    'No signature is valid but every link is: wrong key for this chain, or its current key instead of its first',
  receipts_missing: ({ count }) => `${missing(count)} missing before this one`,
  duplicated: () => 'A receipt was duplicated or replayed, or two have the same number',
  reordered: () => 'Receipts were reordered',
  head_missing: () => 'The start of the chain is missing',
  rotation_not_accepted: () => 'The key change was rejected, or the old key kept signing',
  forged_lineage: () => 'The key rotations don’t lead to the current key',
  checkpoint_ahead: () => 'A signed checkpoint has later receipts: the end of this chain is missing',
  checkpoint_differs: () => 'A signed checkpoint has a different receipt at this position',
  nulls_dropped: () => 'The signature is valid without null members. Other verifiers may accept or reject it',
}

/** @param count of missing receipts, where it is known */
export const chainHintWords = (code: ChainHintCode, count: number | null): string =>
  code === 'receipts_missing' ? CHAIN_HINT_WORDS[code]({ count }) : CHAIN_HINT_WORDS[code]({})

const missing = (count: number | null): string =>
  count === null ? 'Receipts are' : `${some(count, 'receipt')} ${count === 1 ? 'is' : 'are'}`

/** Why two calls count as one piece of work. */
export const REPEAT_RULE_WORDS: Record<RepeatRule, string> = {
  idempotency_key: 'same idempotency key (stated by the issuer)',
  same_target: 'same agent, tool and target (inferred)',
  same_parameters: 'same agent, tool and parameters (inferred)',
}

const RETRY_RULE_WORDS: Record<NonNullable<SilenceFinding['rule']>, string> = {
  ...REPEAT_RULE_WORDS,
  retry_chain: 'the session’s transcript shows the failure (link inferred)',
}

const UNPROVEN_WORDS: Record<UnprovenState, string> = {
  no_key: 'No key registered for this chain',
  other_key: 'This chain was not signed with any registered key',
  key_unusable: 'The key registered for this chain can’t be read',
}

const numberOf = (receipt: { sequence: number | null } | undefined): string =>
  receipt?.sequence == null
    ? 'without a number'
    : receipt.sequence.toLocaleString('en', { useGrouping: false })

const placeOf = ({ receipts }: SilenceFacts): string => `receipt ${numberOf(receipts.at(-1))}`

/** `receipt 4 (Edit)`. */
const namedPlace = (facts: SilenceFacts): string =>
  facts.tool === null ? placeOf(facts) : `${placeOf(facts)} (${facts.tool})`

/** A finding in one sentence without its full stop. */
const SILENCE_WORDS: Catalogue<SilenceMessages> = {
  broken: (facts) => `The chain breaks at ${placeOf(facts)}; nothing after that is proven`,
  unproven: ({ reason }) =>
    `${reason !== null && Object.hasOwn(UNPROVEN_WORDS, reason) ? UNPROVEN_WORDS[reason as UnprovenState] : 'The chain could not be verified'}: its content is unproven`,
  gap: ({ count, receipts }) =>
    `${missing(count)} missing between ${numberOf(receipts[0])} and ${numberOf(receipts.at(-1))}; nothing was recorded there`,
  dropped: (facts) =>
    `${
      facts.count === null
        ? `Events were lost before ${namedPlace(facts)} (number unknown)`
        : `${some(facts.count, 'event')} ${facts.count === 1 ? 'was' : 'were'} lost before ${namedPlace(facts)}`
    }; nothing was recorded there`,
  retry: (facts) =>
    facts.rule === 'retry_chain'
      ? `The failure before ${namedPlace(facts)} left no receipt`
      : `${capital(namedPlace(facts))} repeats receipt ${numberOf(facts.receipts[0])}, and no receipt shows a failure`,
  disagrees: (facts) =>
    `${capital(namedPlace(facts))} reports success, but ${
      facts.failureBy === 'receipt' ? 'a different receipt of the call' : 'another record of the call'
    } shows a failure`,
  unanswered: (facts) => `${capital(namedPlace(facts))} has no result receipt`,
}

/** What the sentence of a finding rests on, in brackets behind it; null: nothing to add. */
const SILENCE_DETAILS: Partial<Catalogue<SilenceMessages>> = {
  broken: ({ reason }) => chainReasonWords(reason ?? ''),
  retry: ({ rule }) =>
    rule !== null && Object.hasOwn(RETRY_RULE_WORDS, rule)
      ? RETRY_RULE_WORDS[rule as keyof typeof RETRY_RULE_WORDS]
      : (rule ?? ''),
  disagrees: () => 'status and output disagree',
}

/** One finding as a sentence without its full stop, and why, where that must be said. A newer kind reads as itself. */
export function silenceWords({ kind, ...facts }: SilenceFacts & { kind: string }): {
  says: string
  why: string | null
} {
  if (!Object.hasOwn(SILENCE_WORDS, kind)) return { says: kind, why: null }
  const known = kind as keyof SilenceMessages
  return { says: SILENCE_WORDS[known](facts), why: SILENCE_DETAILS[known]?.(facts) || null }
}

export const VERDICT_FACT_WORDS: Record<VerdictDifference['fact'], string> = {
  state: 'Verdict',
  reason: 'Reason',
  firstBadIndex: 'First bad receipt',
  headHash: 'Hash of the last receipt',
  receipts: 'Receipts',
}

/** One side of a difference of two verdicts. */
export const verdictFactText = (fact: VerdictDifference['fact'], value: VerdictDifference['here']): string =>
  value === null || value === -1
    ? 'none'
    : fact === 'firstBadIndex'
      ? `position ${Number(value) + 1}`
      : String(value)

/** Why a receipt that was sent is refused. */
export const PUSH_FAULT_WORDS: Catalogue<PushFaults> = {
  not_utf8: () => 'the body is not UTF-8',
  empty: () => 'the body is empty',
  not_json: () => 'the body is not one JSON value',
  not_a_receipt: () => 'the body is not a receipt',
  too_deep: () => 'the receipt is nested too deeply',
  member_missing: ({ path }) => `the receipt lacks ${path}`,
}
