import type { ChainHint } from '@/lib/judge/receipts/chain-hints'
import type { ChainTile, Mark, TiledChain } from '@/lib/judge/receipts/chain-tiles'
import type { ChainWarning } from '@/lib/judge/receipts/chain-warnings'
import type { SignatureFault } from '@/lib/judge/receipts/signature'
import type { VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import { plural, shortDigest } from '../shared/format'
import { chainHintWords, chainReasonWords } from '@/lib/words/receipts'
import type { MalformedWhy, ReceiptEvent } from '@/lib/model/receipt-facts'
import type { ChainVerdictDocument } from '@/lib/model/receipt-chain'

/** Which receipt it is, as its tile says it. */
export const numberOf = ({ brief, index }: Pick<ChainTile, 'brief' | 'index'>): string =>
  brief.sequence === null ? `at position ${index + 1}` : String(brief.sequence)

const reasonOf = (reason: string | null): string =>
  reason === null ? 'no reason given' : chainReasonWords(reason)

export type VerdictLook = 'complete' | 'open' | 'interrupted' | 'broken' | 'unchecked'

export const verdictLook = ({
  state,
  status,
}: Pick<ChainVerdictDocument, 'state' | 'status'>): VerdictLook => {
  if (state === 'broken') return 'broken'
  if (state !== 'valid') return 'unchecked'
  return status === 'complete' ? 'complete' : status === 'interrupted' ? 'interrupted' : 'open'
}

/** A verdict in a sentence. @param number of the first bad receipt, where it is known by more than its place */
export function verdictSentence(
  { state, status, reason, firstBadIndex }: ChainVerdictDocument,
  number = `at position ${firstBadIndex + 1}`,
): string {
  switch (state) {
    case 'valid':
      if (status === 'complete') return 'Valid and complete'
      return status === 'interrupted' ? 'Valid, interrupted at the end' : 'Valid so far, completeness unknown'
    case 'broken':
      return `Broken at ${number.startsWith('at ') ? 'the ' : ''}receipt ${number}: ${lower(reasonOf(reason))}`
    case 'no_key':
      return 'No key registered: only links and numbers checked'
    case 'other_key':
      return 'Not signed by any registered key; links and numbers are consistent'
    case 'key_unusable':
      return 'The registered key can’t be read, so the chain was not verified'
    case 'no_receipts':
      return 'No receipts'
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Findings in this browser where signatures were not looked at. */
export function unsignedSentence({ break: found, tiles }: TiledChain): string {
  if (found === null)
    return 'All links and numbers are consistent. This doesn’t prove origin: a rewritten chain would be consistent, too.'
  return `Links and numbers break at receipt ${numberOf(tiles[found.index]!)}: ${lower(chainReasonWords(found.reason))}.`
}

export const SUPPORT_WORDS: Record<Exclude<VerifiedChain['signatures'], 'checked' | 'no_key'>, string> = {
  no_ed25519: 'This browser doesn’t support Ed25519 signatures. The result below is from the server only.',
  no_webcrypto:
    'Browsers verify signatures only over https or on localhost. The result below is from the server only.',
}

export const hintSentence = ({ code, count }: ChainHint): string => chainHintWords(code, count ?? null)

export function warningSentence(warning: ChainWarning, tiles: readonly ChainTile[]): string {
  const number = (index: number): string =>
    tiles[index] ? numberOf(tiles[index]) : `at position ${index + 1}`
  switch (warning.code) {
    case 'idempotency_key_repeated':
      return `Receipts ${warning.indices.slice(0, 10).map(number).join(', ')}${warning.indices.length > 10 ? ' …' : ''} share an idempotency key (${warning.key}): evidence of a retry`
    case 'incomplete_tool_roundtrip':
      return `The last receipt, ${number(warning.index)}, has no result yet`
    case 'incomplete_session':
      return `Terminal sessions were opened ${plural(warning.opened, 'time')} and closed ${plural(warning.closed, 'time')}`
    case 'several_issuers':
      return `Several issuers in one chain: ${warning.issuers.join(', ')}`
    case 'schema_violation':
      return `Receipt ${number(warning.index)} has an unexpected chain status`
  }
}

const MARK_WORDS: Record<keyof ChainTile['marks'], Record<Mark, string>> = {
  signature: { ok: 'signature valid', bad: 'signature invalid', not_checked: 'signature not checked' },
  link: { ok: 'link valid', bad: 'link broken', not_checked: 'link not checked' },
  number: { ok: 'number in sequence', bad: 'number out of sequence', not_checked: 'number not checked' },
}
export const markWords = (name: keyof ChainTile['marks'], mark: Mark): string => MARK_WORDS[name][mark]

export const EVENT_WORDS: Record<ReceiptEvent, string> = {
  events_dropped: 'Events lost',
  chain_interrupted: 'Daemon stopped',
  key_rotation: 'Key changed',
  self_test: 'Self test',
}

export const LOOK_WORDS: Record<ChainTile['look'], string> = {
  success: 'success',
  failure: 'failure',
  pending: 'pending',
  event: 'event',
  unknown: 'unknown status',
}

export const FAULT_WORDS: Record<SignatureFault, string> = {
  malformed: 'it has no canonical form',
  proof_type: 'its proof type is not Ed25519Signature2020',
  proof_value: 'its proofValue is not u followed by 86 base64url characters',
  signature: 'it was not made with the active key for this content',
}

export const MALFORMED_WORDS: Record<MalformedWhy, string> = {
  not_json: 'Not JSON',
  not_an_object: 'Not an object',
  part: 'A required member is missing',
  number: 'Contains a number outside the double range',
  surrogate: 'Contains half of a surrogate pair',
  depth: 'Nested too deeply',
}

export const shortPrint = (fingerprint: string | null): string =>
  fingerprint === null ? 'unknown key' : shortDigest(fingerprint.replace(/^sha256:/, ''))
