import type { NotCanonicalWhy } from '../text/canonical-json'

/** Why a text is no receipt that could be checked. `part`: one of the objects that a verifier reads is missing. */
export type MalformedWhy = 'not_json' | 'not_an_object' | 'part' | NotCanonicalWhy

/** Kinds of receipts that belong to no call of an agent. `self_test` is a call of the source's own tool that checks itself. */
export type ReceiptEvent = 'events_dropped' | 'chain_interrupted' | 'key_rotation' | 'self_test'

/** What a receipt of Agent Receipts says of itself; texts at most 2,000 characters. Its signature is checked from its bytes, never from here. */
export interface ReceiptFact {
  id: string | null
  /** Values that are not text appear as JSON. */
  chainId: string | null
  /** `null`: none, or no whole number. */
  sequence: number | null
  /** Computed here; `null` where the receipt has no canonical form. */
  hash: string | null
  previousHash: string | null
  status: string | null
  actionType: string | null
  tool: string | null
  at: string | null
  issuerId: string | null
  sessionId: string | null
  agentId: string | null
  correlationId: string | null
  terminal: boolean
  event: ReceiptEvent | null
  malformed: MalformedWhy | null
  /** Events that were lost before it. Facts that are older lack this and what follows, until they are derived anew. */
  dropped?: number | null
  target?: string | null
  parametersHash?: string | null
  idempotencyKey?: string | null
  /** Where the chain of a sub-agent says that it was started from. */
  parent?: { chainId: string; receiptId: string | null } | null
}
