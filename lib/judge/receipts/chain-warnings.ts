import type { ReceiptFacts } from '../../formats/receipt/receipt'

/** What is worth knowing about a chain and breaks nothing. */
export type ChainWarning =
  /** The same key on several receipts: evidence of a retry. One for each key. */
  | { code: 'idempotency_key_repeated'; key: string; indices: number[] }
  /** The last receipt waits for a result, and the chain did not end. */
  | { code: 'incomplete_tool_roundtrip'; index: number }
  /** Terminal sessions were opened and closed unequally often. */
  | { code: 'incomplete_session'; opened: number; closed: number }
  | { code: 'several_issuers'; issuers: string[] }
  /** `chain.status` where none may be, or another than the two there are. */
  | { code: 'schema_violation'; index: number }

const ISSUERS_NAMED = 10

/** Gathers what only the whole of a chain shows, receipt by receipt. */
export interface ChainTally {
  add(facts: ReceiptFacts, index: number): void
  /** In the order in which their causes were first seen. */
  warnings(): ChainWarning[]
}

export function tallyChain(): ChainTally {
  const keys = new Map<string, number[]>()
  const issuers = new Set<string>()
  const violations: ChainWarning[] = []
  const sessions = { opened: 0, closed: 0 }
  let waiting: ChainWarning | null = null
  return {
    add({ action, chain, outcome, issuerId }, index) {
      if (action.idempotencyKey !== null) {
        const indices = keys.get(action.idempotencyKey)
        if (indices === undefined) keys.set(action.idempotencyKey, [index])
        else indices.push(index)
      }
      if (issuerId !== null && issuers.size < ISSUERS_NAMED) issuers.add(issuerId)
      if (action.type === 'system.pty.open') sessions.opened++
      if (action.type === 'system.pty.close') sessions.closed++
      if (
        chain.status !== undefined &&
        !(chain.terminal && (chain.status === 'complete' || chain.status === 'interrupted'))
      ) {
        violations.push({ code: 'schema_violation', index })
      }
      waiting =
        outcome.status === 'pending' && !chain.terminal ? { code: 'incomplete_tool_roundtrip', index } : null
    },
    warnings() {
      const warnings: ChainWarning[] = []
      for (const [key, indices] of keys)
        if (indices.length > 1) warnings.push({ code: 'idempotency_key_repeated', key, indices })
      if (waiting !== null) warnings.push(waiting)
      if (sessions.opened !== sessions.closed) warnings.push({ code: 'incomplete_session', ...sessions })
      if (issuers.size > 1) warnings.push({ code: 'several_issuers', issuers: [...issuers] })
      return [...warnings, ...violations]
    },
  }
}
