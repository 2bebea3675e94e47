import type { Pointer } from './execution'

export interface ReceiptItem {
  /** Ours: distinguishes receipts with the same id. */
  key: string
  id: string | null
  sequence: number | null
  at: string | null
  executionId: string
  sessionId: string | null
  correlationId: string | null
  pointer: Pointer
  /** The receipt as it was received: what a signature is checked over is made from this alone. */
  text: string
}

export interface ReceiptKey {
  id: string
  fingerprint: string
  /** As `did:key`. */
  publicKey: string
  label: string
  /** The only chain that may begin with it; null: any. */
  chainId: string | null
  /** The last rotation of a chain must end at it. */
  isCurrent: boolean
  addedAt: string
}

/** Without its rows: those are computed where they are shown. */
export interface ChainVerdictDocument {
  /** `no_key`: none is registered; `other_key`: none of those for all chains has signed any of it, and it holds in itself. */
  state: 'valid' | 'broken' | 'no_receipts' | 'key_unusable' | 'no_key' | 'other_key'
  reason: string | null
  firstBadIndex: number
  status: string
  receipts: number
  headHash: string | null
  activeFingerprint: string | null
}

/** Facts in which two verdicts on one chain are compared. */
export const VERDICT_FACTS = [
  'state',
  'reason',
  'firstBadIndex',
  'headHash',
  'receipts',
] as const satisfies readonly (keyof ChainVerdictDocument)[]

type VerdictFact = (typeof VERDICT_FACTS)[number]

/** A fact in which the verdict of this browser is not that of the server. */
export interface VerdictDifference {
  fact: VerdictFact
  here: ChainVerdictDocument[VerdictFact]
  server: ChainVerdictDocument[VerdictFact]
}
