import type { ChainFindings, ChainStatus } from './chain-findings'
import { hintsOf, type ChainHint } from './chain-hints'
import { isBad, type ChainRow, type SequenceIssue } from './chain-row'
import type { ChainWarning } from './chain-warnings'
import type { ChainReason } from '../../model/chain-reasons'

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
 * Which of what was found decides. Another chain's receipt is named before earlier breaks; what stands behind the end, responses and witnesses
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

interface Break {
  at: number
  reason: ChainReason | null
}

function breakOf(found: ChainFindings): Break {
  const { afterTerminalAt } = found
  // Without a key nothing is known of signatures, and everything else counts.
  const rows = found.keyUnusable ? found.rows.map((row) => ({ ...row, signature: true })) : found.rows
  const foreignAt = rows.findIndex((row) => row.foreign)
  if (foreignAt !== -1) return { at: foreignAt, reason: rowReason(rows[foreignAt]!) }
  const badAt = rows.findIndex(isBad)
  if (badAt !== -1) return { at: badAt, reason: rowReason(rows[badAt]!) }
  if (afterTerminalAt !== -1) return { at: afterTerminalAt, reason: 'receipt_after_terminal' }
  return forgedLineage(found) ?? witnessBreak(found) ?? { at: -1, reason: null }
}

/** Why a receipt is bad, the reason that comes first when several hold. */
export function rowReason({ malformed, foreign, signature, rotationFault, hashLink }: ChainRow): ChainReason {
  if (malformed !== null) return 'malformed_receipt'
  if (foreign) return 'chain_id_mismatch'
  if (!signature) return 'signature_invalid'
  if (rotationFault !== null) return 'key_rotation_invalid'
  return hashLink ? 'sequence_invalid' : 'hash_link_broken'
}

/** An old key that went astray can sign rotations of its own: only one that ends at the current key counts. */
const forgedLineage = ({ lastRotationAt, currentKey, activeKey }: ChainFindings): Break | null =>
  lastRotationAt !== -1 && currentKey !== null && activeKey?.fingerprint !== currentKey.fingerprint
    ? { at: lastRotationAt, reason: 'key_rotation_invalid' }
    : null

function witnessBreak({ rows, status, headHash, witness, witnesses }: ChainFindings): Break | null {
  if (witness.responseMismatchAt !== -1)
    return { at: witness.responseMismatchAt, reason: 'response_hash_mismatch' }
  const { length, finalHash, requireTerminal = false } = witnesses
  if (rows.length === 0)
    return length !== undefined && length !== 0 ? { at: 0, reason: 'length_mismatch' } : null
  const at = rows.length - 1
  if (length !== undefined && length !== rows.length) return { at, reason: 'length_mismatch' }
  if (finalHash !== undefined && finalHash !== headHash) return { at, reason: 'final_hash_mismatch' }
  if (witness.checkpointFaults().length > 0) return { at, reason: 'final_hash_mismatch' }
  return requireTerminal && status === 'unknown' ? { at, reason: 'not_terminal' } : null
}
