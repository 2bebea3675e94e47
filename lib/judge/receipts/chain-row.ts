import type { Receipt } from '../../formats/receipt/receipt'
import type { RotationFault } from './key-rotation'
import type { SignatureFault } from './signature'
import type { MalformedWhy } from '../../model/receipt-facts'

/** How the numbering goes wrong at a receipt, when both numbers can be compared. */
export type SequenceIssue = 'gap' | 'duplicate' | 'regression'

/** Findings at one receipt of a chain. The flags are always all computed, also behind a break. */
export interface ChainRow {
  index: number
  id: string | null
  malformed: MalformedWhy | null
  signature: boolean
  signatureFault: SignatureFault | null
  /** The signature is not over the receipt as received, but over what is left of it without its null members. */
  nullsDropped: boolean
  hashLink: boolean
  sequence: boolean
  sequenceIssue: SequenceIssue | null
  /** How many numbers a `gap` passes over. */
  missing: number
  isRotation: boolean
  rotationFault: RotationFault | null
  /** Another chain's id than that of the first receipt. */
  foreign: boolean
}

/** What the next receipt of a chain is held against. */
export interface Predecessor {
  hash: string | null
  sequence: unknown
}

export const isBad = ({ malformed, signature, hashLink, sequence, rotationFault }: ChainRow): boolean =>
  malformed !== null || !signature || !hashLink || !sequence || rotationFault !== null

/** Whether a receipt can say which chain it is of; one that is not whole cannot, and is no receipt of another chain either. */
export const namesChain = ({ facts, malformed }: Receipt): boolean =>
  malformed === null || facts.chain.chainId !== undefined

/**
 * Everything about a receipt's place that needs no key.
 *
 * @param before  null for the first
 * @param chainId of the first receipt that names one
 */
export function placeOf(
  receipt: Receipt,
  index: number,
  before: Predecessor | null,
  chainId: unknown,
): ChainRow {
  const { facts, malformed } = receipt
  const { sequence, previousHash } = facts.chain
  return {
    index,
    id: facts.id,
    malformed,
    signature: false,
    signatureFault: null,
    nullsDropped: false,
    hashLink: before === null ? previousHash === null : before.hash !== null && previousHash === before.hash,
    sequence:
      isSafe(sequence) &&
      (before === null ? sequence >= 1 : isSafe(before.sequence) && sequence === before.sequence + 1),
    ...issueOf(sequence, before),
    isRotation: facts.keyRotation !== null,
    rotationFault: null,
    foreign: namesChain(receipt) && facts.chain.chainId !== chainId,
  }
}

function issueOf(sequence: unknown, before: Predecessor | null): Pick<ChainRow, 'sequenceIssue' | 'missing'> {
  if (before === null || !isSafe(sequence) || !isSafe(before.sequence))
    return { sequenceIssue: null, missing: 0 }
  const step = sequence - before.sequence
  if (step > 1) return { sequenceIssue: 'gap', missing: step - 1 }
  return { sequenceIssue: step === 1 ? null : step === 0 ? 'duplicate' : 'regression', missing: 0 }
}

const isSafe = (value: unknown): value is number => Number.isSafeInteger(value)
