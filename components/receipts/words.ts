import { hintWords, type ChainHint } from '@/lib/judge/receipts/chain-hints'
import { reasonWords } from '@/lib/judge/receipts/chain-reasons'
import type { ChainTile, Mark, TiledChain } from '@/lib/judge/receipts/chain-tiles'
import type { ChainWarning } from '@/lib/judge/receipts/chain-warnings'
import type { SignatureFault } from '@/lib/judge/receipts/signature'
import type { VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import { plural, shortDigest } from '../shared/format'
import type { RepeatRule } from '@/lib/model/silence'
import type { ChainReason } from '@/lib/model/chain-reasons'
import type { MalformedWhy, ReceiptEvent } from '@/lib/model/receipt-facts'
import type { ChainVerdictDocument } from '@/lib/model/receipt-chain'

/** Which receipt it is, as its tile says it. */
export const numberOf = ({ brief, index }: Pick<ChainTile, 'brief' | 'index'>): string =>
  brief.sequence === null ? `at place ${index + 1}` : String(brief.sequence)

const reasonOf = (reason: string | null): string =>
  reason === null ? 'no reason was given' : (reasonWords[reason as ChainReason] ?? reason)

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
  number = `at place ${firstBadIndex + 1}`,
): string {
  switch (state) {
    case 'valid':
      if (status === 'complete') return 'Valid and complete'
      return status === 'interrupted'
        ? 'Valid, and interrupted at its end'
        : 'Valid as far as it goes, completeness not known'
    case 'broken':
      return `Broken at ${number.startsWith('at ') ? 'the ' : ''}receipt ${number}: ${lower(reasonOf(reason))}`
    case 'no_key':
      return 'No key is registered: links and numbers only'
    case 'other_key':
      return 'None of the registered keys has signed this chain; its links and numbers hold'
    case 'key_unusable':
      return 'The registered key cannot be read: nothing is said of the chain'
    case 'no_receipts':
      return 'No receipts'
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** What was found in this browser where signatures were not looked at. */
export function unsignedSentence({ break: found, tiles }: TiledChain): string {
  if (found === null)
    return 'Every link and number holds. That proves no origin: whoever writes a chain anew makes them hold, too.'
  return `Links and numbers break at receipt ${numberOf(tiles[found.index]!)}: ${lower(reasonWords[found.reason])}.`
}

export const SUPPORT_WORDS: Record<Exclude<VerifiedChain['signatures'], 'checked' | 'no_key'>, string> = {
  no_ed25519:
    'This browser knows no Ed25519 signatures, so that it cannot verify the chain: what follows is the server’s word alone.',
  no_webcrypto:
    'This page did not come over https or from this machine, and browsers verify nothing then: what follows is the server’s word alone.',
}

export const hintSentence = ({ code, count }: ChainHint): string =>
  code === 'receipts_missing' && count !== undefined
    ? `${plural(count, 'receipt')} ${count === 1 ? 'is' : 'are'} missing before this one`
    : hintWords[code]

export function warningSentence(warning: ChainWarning, tiles: readonly ChainTile[]): string {
  const number = (index: number): string => (tiles[index] ? numberOf(tiles[index]) : `at place ${index + 1}`)
  switch (warning.code) {
    case 'idempotency_key_repeated':
      return `Receipts ${warning.indices.slice(0, 10).map(number).join(', ')}${warning.indices.length > 10 ? ' …' : ''} have one idempotency key (${warning.key}): evidence of a retry`
    case 'incomplete_tool_roundtrip':
      return `The last receipt, ${number(warning.index)}, waits for a result: the round trip of its tool is not complete`
    case 'incomplete_session':
      return `Terminal sessions were opened ${plural(warning.opened, 'time')} and closed ${plural(warning.closed, 'time')}`
    case 'several_issuers':
      return `More than one issuer wrote this chain: ${warning.issuers.join(', ')}`
    case 'schema_violation':
      return `Receipt ${number(warning.index)} says a status of the chain that may not stand there`
  }
}

const MARK_WORDS: Record<keyof ChainTile['marks'], Record<Mark, string>> = {
  signature: { ok: 'signature holds', bad: 'signature does not hold', not_checked: 'signature not checked' },
  link: { ok: 'link holds', bad: 'link does not hold', not_checked: 'link not checked' },
  number: { ok: 'number follows', bad: 'number does not follow', not_checked: 'number not checked' },
}
export const markWords = (name: keyof ChainTile['marks'], mark: Mark): string => MARK_WORDS[name][mark]

export const EVENT_WORDS: Record<ReceiptEvent, string> = {
  events_dropped: 'Events lost',
  chain_interrupted: 'The daemon was stopped',
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
  malformed: 'there is no canonical form to check it over',
  proof_type: 'its proof is not of the type Ed25519Signature2020',
  proof_value: 'its proofValue is not exactly u and 86 characters of base64url',
  signature: 'it is not the active key’s over these bytes',
}

export const MALFORMED_WORDS: Record<MalformedWhy, string> = {
  not_json: 'It is not JSON',
  not_an_object: 'It is no object',
  part: 'A part that a verifier needs is missing',
  number: 'It holds a number beyond doubles',
  surrogate: 'It holds half of a surrogate pair',
  depth: 'It nests too deep',
}

export const RULE_WORDS: Record<RepeatRule, string> = {
  idempotency_key: 'same idempotency key, said by the issuer',
  same_target: 'same agent, tool and target; inferred',
  same_parameters: 'same agent, tool and parameters; inferred',
}

export const shortPrint = (fingerprint: string | null): string =>
  fingerprint === null ? 'a key not named' : shortDigest(fingerprint.replace(/^sha256:/, ''))
