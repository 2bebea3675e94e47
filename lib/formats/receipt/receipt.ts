import type { MalformedWhy } from '../../model/receipt-facts'

export type JsonObject = Record<string, unknown>

/** What is read out of a receipt, as it is there: `unknown` where a wrong type must be seen by the check that refuses it. */
export interface ReceiptFacts {
  id: string | null
  version: string | null
  issuerId: string | null
  sessionId: string | null
  agentId: string | null
  /** Who acted, by name: the kind of agent, else the issuer's name. */
  actor: string | null
  model: string | null
  principalId: string | null
  correlationId: string | null
  chain: {
    chainId: unknown
    sequence: unknown
    previousHash: unknown
    terminal: boolean
    status: unknown
  }
  action: {
    type: string | null
    toolName: string | null
    timestamp: string | null
    /** System and resource as one text; null when there is no target. */
    target: string | null
    parametersHash: string | null
    idempotencyKey: string | null
  }
  outcome: { status: unknown; error: string | null; responseHash: unknown }
  delegation: {
    parentChainId: string | null
    parentReceiptId: string | null
    delegatorId: string | null
  } | null
  /** The beginning of what was asked; one that was cut ends in an ellipsis. */
  promptPreview: string | null
  /** Whatever is under `keyRotation`; null when nothing does. */
  keyRotation: unknown
  proof: unknown
}

export interface Receipt {
  /** All of it, unknown members too; null when there is no object, or one that nests too deep to be handed on. */
  value: JsonObject | null
  facts: ReceiptFacts
  malformed: MalformedWhy | null
  /** Canonical form without `proof`: what was signed. Null when there is none. */
  signed: string | null
  /** Canonical form that is hashed: nulls dropped, `previous_receipt_hash` always there. Null when there is none. */
  hashed: string | null
  /** Members that are null were dropped for `hashed`: a library that drops them before it signs has signed other bytes. */
  holdsNulls: boolean
}
