import type { Receipt } from '../../formats/receipt/receipt'
import { receiptHash, valueHash } from '../../formats/receipt/receipt-hash'
import type { Checkpoint } from './checkpoint'

/** What is known of a chain from elsewhere. */
export interface Witnesses {
  length?: number
  finalHash?: string
  requireTerminal?: boolean
  /** Bodies of responses, redacted as they were hashed, by the id of their receipt. */
  responseBodies?: ReadonlyMap<string, unknown>
  /** Whose signatures were checked by the caller. */
  checkpoints?: readonly Checkpoint[]
}

/** A checkpoint that the chain does not bear out. `ahead`: it ends before that number. */
export interface CheckpointFault {
  sequence: number
  why: 'differs' | 'ahead'
}

/** Holds receipts against what is known of them from elsewhere, one by one. */
export interface WitnessWatch {
  add(receipt: Receipt, index: number): void
  /** First receipt whose response is another; -1 when there is none. */
  readonly responseMismatchAt: number
  /** Receipts whose response was not handed in, and so not looked at. */
  readonly responsesNotGiven: number
  checkpointFaults(): CheckpointFault[]
}

export function watchWitnesses({ responseBodies, checkpoints = [] }: Witnesses): WitnessWatch {
  const awaited = new Map<unknown, Checkpoint[]>()
  for (const one of checkpoints) awaited.set(one.sequence, [...(awaited.get(one.sequence) ?? []), one])
  const met = new Set<Checkpoint>()
  const differing = new Set<Checkpoint>()
  let chainId: unknown
  const watch = { responseMismatchAt: -1, responsesNotGiven: 0 }

  function addResponse({ facts }: Receipt, index: number): void {
    const { responseHash } = facts.outcome
    if (responseHash === undefined || responseHash === null || responseHash === '') return
    if (facts.id === null || !responseBodies?.has(facts.id)) watch.responsesNotGiven++
    else if (watch.responseMismatchAt === -1 && valueHash(responseBodies.get(facts.id)) !== responseHash)
      watch.responseMismatchAt = index
  }

  return {
    get responseMismatchAt() {
      return watch.responseMismatchAt
    },
    get responsesNotGiven() {
      return watch.responsesNotGiven
    },
    add(receipt, index) {
      addResponse(receipt, index)
      const { chain } = receipt.facts
      if (index === 0) chainId = chain.chainId
      for (const one of awaited.get(chain.sequence) ?? []) {
        if (one.chainId !== chain.chainId) continue
        met.add(one)
        if (receiptHash(receipt) !== one.receiptHash) differing.add(one)
      }
    },
    checkpointFaults: () =>
      checkpoints.flatMap((one): CheckpointFault[] => {
        if (one.chainId !== chainId || (met.has(one) && !differing.has(one))) return []
        return [{ sequence: one.sequence, why: met.has(one) ? 'differs' : 'ahead' }]
      }),
  }
}
