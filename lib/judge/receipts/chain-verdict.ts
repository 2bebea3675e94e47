import type { ChainFindings, ChainStatus } from './chain-findings'
import { hintsOf, type ChainHint } from './chain-hints'
import { isBad, type ChainRow, type SequenceIssue } from './chain-row'
import type { ChainWarning } from './chain-warnings'
import type { ChainReason } from '../../model/chain-reasons'
import type { ChainReasons } from '../../model/messages/receipts'
import { firstThatHolds, type Rule, type RuleTable } from '../rule-table'

/** `no_receipts` is not valid, and `key_unusable` says nothing of the chain. */
export type ChainState = 'valid' | 'broken' | 'no_receipts' | 'key_unusable'

export interface ChainVerdict {
  state: ChainState
  /** Nothing was found wrong; also of a chain without receipts, as the reference has it. What is shown is `state`. */
  valid: boolean
  /** −1 when there is none. */
  firstBadIndex: number
  reason: ChainReason | null
  /** Of a chain for which no key could be read: what breaks it whatever the key, at `firstBadIndex`. Null when nothing does. */
  reasonWithoutKey: ChainReason | null
  /** At `firstBadIndex`. */
  sequenceIssue: SequenceIssue | null
  status: ChainStatus
  incompleteToolRoundtrip: boolean
  warnings: ChainWarning[]
  hints: ChainHint[]
  rows: ChainRow[]
  /** Hash of the last receipt. */
  headHash: string | null
  /** Fingerprint of the key that the next receipt would be signed with. */
  activeFingerprint: string | null
  /** The first receipt is not number 1. */
  startsAbove: number | null
  /** Receipts that name a response which was not handed in. */
  responsesNotGiven: number
}

/**
 * Which of what was found decides. Another chain's receipt is named before earlier breaks; what is behind the end, responses and witnesses
 * count only where nothing broke before.
 *
 * @see docs/sources/receipts.md
 */
export function concludeChain(found: ChainFindings): ChainVerdict {
  const { rows, status, warnings, first } = found
  const break_ = breakOf(found)
  const reason = found.keyUnusable ? 'key_unusable' : break_.reason
  const startsAt = first?.sequence
  return {
    state: stateOf(found, reason),
    valid: reason === null,
    firstBadIndex: break_.at,
    reason,
    reasonWithoutKey: found.keyUnusable ? break_.reason : null,
    sequenceIssue: rows[break_.at]?.sequenceIssue ?? null,
    status,
    incompleteToolRoundtrip: warnings.some(({ code }) => code === 'incomplete_tool_roundtrip'),
    warnings,
    hints: hintsOf(found, break_.reason),
    rows,
    headHash: found.headHash,
    activeFingerprint: found.activeKey?.fingerprint ?? null,
    startsAbove: typeof startsAt === 'number' && startsAt > 1 ? startsAt : null,
    responsesNotGiven: found.witness.responsesNotGiven,
  }
}

function stateOf({ rows }: ChainFindings, reason: ChainReason | null): ChainState {
  if (reason === 'key_unusable') return 'key_unusable'
  if (reason !== null) return 'broken'
  return rows.length === 0 ? 'no_receipts' : 'valid'
}

interface BreakFacts {
  found: ChainFindings
  /** The first receipt of another chain, else the first bad one, and its index. */
  badRow: ChainRow | null
  badAt: number
}

/** Why a receipt is bad, in the order in which the reasons count. */
const ROW_REASONS: readonly [ChainReason, (row: ChainRow) => boolean][] = [
  ['malformed_receipt', ({ malformed }) => malformed !== null],
  ['chain_id_mismatch', ({ foreign }) => foreign],
  ['signature_invalid', ({ signature }) => !signature],
  ['key_rotation_invalid', ({ rotationFault }) => rotationFault !== null],
  ['hash_link_broken', ({ hashLink }) => !hashLink],
  ['sequence_invalid', () => true],
]

/** Why a receipt is bad, the first reason that applies. */
export const rowReason = (row: ChainRow): ChainReason => ROW_REASONS.find(([, applies]) => applies(row))![0]

const breakRule = (
  id: ChainReason,
  when: (facts: BreakFacts) => boolean,
  at: (facts: BreakFacts) => number,
): Rule<BreakFacts, number, ChainReasons> => ({ id, when, verdict: at, params: () => ({}) })

const isGiven = ({ found }: BreakFacts): boolean => found.rows.length > 0
const lastReceipt = ({ found }: BreakFacts): number => Math.max(0, found.rows.length - 1)

/** What breaks a chain; the answer is the index of the receipt at which it breaks. */
const BREAKS: RuleTable<BreakFacts, number, ChainReasons> = [
  ...ROW_REASONS.map(([reason]) =>
    breakRule(
      reason,
      ({ badRow }) => badRow !== null && rowReason(badRow) === reason,
      ({ badAt }) => badAt,
    ),
  ),
  breakRule(
    'receipt_after_terminal',
    ({ found }) => found.afterTerminalAt !== -1,
    ({ found }) => found.afterTerminalAt,
  ),
  // A leaked old key can sign rotations of its own: only a lineage that ends at the current key counts.
  breakRule(
    'key_rotation_invalid',
    ({ found: { lastRotationAt, currentKey, activeKey } }) =>
      lastRotationAt !== -1 && currentKey !== null && activeKey?.fingerprint !== currentKey.fingerprint,
    ({ found }) => found.lastRotationAt,
  ),
  breakRule(
    'response_hash_mismatch',
    ({ found }) => found.witness.responseMismatchAt !== -1,
    ({ found }) => found.witness.responseMismatchAt,
  ),
  breakRule(
    'length_mismatch',
    ({ found: { rows, witnesses } }) => witnesses.length !== undefined && witnesses.length !== rows.length,
    lastReceipt,
  ),
  breakRule(
    'final_hash_mismatch',
    (facts) => {
      const { headHash, witness, witnesses } = facts.found
      return (
        isGiven(facts) &&
        ((witnesses.finalHash !== undefined && witnesses.finalHash !== headHash) ||
          witness.checkpointFaults().length > 0)
      )
    },
    lastReceipt,
  ),
  breakRule(
    'not_terminal',
    (facts) =>
      isGiven(facts) && (facts.found.witnesses.requireTerminal ?? false) && facts.found.status === 'unknown',
    lastReceipt,
  ),
]

function breakOf(found: ChainFindings): { at: number; reason: ChainReason | null } {
  // Without a key nothing is known of signatures, and everything else counts.
  const rows = found.keyUnusable ? found.rows.map((row) => ({ ...row, signature: true })) : found.rows
  const foreignAt = rows.findIndex((row) => row.foreign)
  const badAt = foreignAt === -1 ? rows.findIndex(isBad) : foreignAt
  const first = firstThatHolds(BREAKS, { found, badRow: rows[badAt] ?? null, badAt })
  return first === null ? { at: -1, reason: null } : { at: first.verdict, reason: first.rule }
}
