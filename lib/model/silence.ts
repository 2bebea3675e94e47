import type { ChainReason, UnprovenState } from './chain-reasons'

/** Why calls count as repeats of one another. Only the first is asserted by the issuer; the others are ours. */
export type RepeatRule = 'idempotency_key' | 'same_target' | 'same_parameters'

/** A receipt as it is named. */
export interface ReceiptPlace {
  id: string | null
  chainId: string | null
  sequence: number | null
}

/**
 * Where the record of an execution is silent, says other than what happened, or is not proven; each is a value of the facet `silence`.
 * `broken`: its chain was changed at one of its receipts or before. `gap`: numbers of a chain are missing. `dropped`: the issuer says that events were lost. `retry`: tried again, and no receipt says that it had
 * failed. `disagrees`: a receipt says success of a call that failed. `unanswered`: a receipt waits for a result that did not come.
 * `unproven`: no registered key has signed its chain.
 */
export const SILENCE_KINDS = [
  'broken',
  'gap',
  'dropped',
  'retry',
  'disagrees',
  'unanswered',
  'unproven',
] as const

export type SilenceKind = (typeof SILENCE_KINDS)[number]

export interface SilenceFinding {
  kind: SilenceKind
  /** Receipts or events that are not there; null where that is not known or nothing is missing. */
  count: number | null
  tool: string | null
  /** Call that it is about; of a retry the one that tries again. */
  callId: string | null
  /** Of a retry, why the two are one piece of work: only the first is said by the issuer. `retry_chain`: a transcript of the session shows the failure. */
  rule: RepeatRule | 'retry_chain' | null
  /** Of a success that is none, who says so: what else is known of the call, or another receipt of it. */
  failureBy: 'call' | 'receipt' | null
  /** Of a chain that is broken or not proven, why. */
  reason: ChainReason | UnprovenState | null
  /** What it rests on, in their order. The last one is the receipt that it is at. */
  receipts: ReceiptPlace[]
}

/** All findings of an execution; the list ends at `FINDINGS_MAX`, the counts do not. */
export interface Silence {
  counts: Partial<Record<SilenceKind, number>>
  findings: SilenceFinding[]
}
