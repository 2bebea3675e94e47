import { pairReceipts, type ReceiptCall } from './pair-receipts'
import type { ReceiptPlace } from '../../model/silence'
import type { ReceiptFact } from '../../model/receipt-facts'

export const placeOf = ({ id, chainId, sequence }: ReceiptPlace): ReceiptPlace => ({ id, chainId, sequence })

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

/** By time; the order inside of a chain is that of its numbers, whatever the clock said. */
export function inTime(receipts: readonly ReceiptFact[]): ReceiptFact[] {
  const sorted = [...receipts].sort(
    (a, b) =>
      compare(a.chainId ?? '', b.chainId ?? '') ||
      compare(a.sequence ?? Infinity, b.sequence ?? Infinity) ||
      compare(a.at ?? '', b.at ?? '') ||
      compare(a.id ?? '', b.id ?? '') ||
      compare(a.hash ?? '', b.hash ?? ''),
  )
  const latest = new Map<string | null, string>()
  const timed = sorted.map((receipt, place) => {
    const at = [latest.get(receipt.chainId) ?? '', receipt.at ?? ''].sort()[1]!
    latest.set(receipt.chainId, at)
    return { receipt, at, place }
  })
  return timed.sort((a, b) => compare(a.at, b.at) || a.place - b.place).map(({ receipt }) => receipt)
}

const partOf = (fact: ReceiptFact) => ({
  id: fact.id,
  chainId: fact.chainId,
  sequence: fact.sequence,
  agentId: fact.agentId,
  correlationId: fact.correlationId,
  keyRotation: null,
  action: {
    type: fact.actionType,
    toolName: fact.tool,
    timestamp: fact.at,
    target: fact.target ?? null,
    parametersHash: fact.parametersHash ?? null,
    idempotencyKey: fact.idempotencyKey ?? null,
  },
  outcome: { status: fact.status as unknown, error: null, responseHash: null },
})

type ReceiptPart = ReturnType<typeof partOf>
export type CallOfReceipts = ReceiptCall<ReceiptPart>

/** The calls that the receipts of one execution tell of, in the order of time. @param ordered as `inTime` gives them */
export const callsOf = (ordered: readonly ReceiptFact[]): CallOfReceipts[] =>
  pairReceipts(ordered.filter(({ event }) => event === null).map(partOf))

export const receiptsOf = ({ pending, finals }: CallOfReceipts): ReceiptPart[] => [...pending, ...finals]

/** As the calls of a session are named: by what its transcript calls them, too. */
export const nameOf = (call: CallOfReceipts): string | null =>
  call.correlationId ?? receiptsOf(call)[0]?.id ?? null

const firstOf = (call: CallOfReceipts, read: (part: ReceiptPart) => string | null): string | null =>
  [...call.finals, ...call.pending].map(read).find((value) => value !== null) ?? null

export const toolOf = (call: CallOfReceipts): string | null =>
  firstOf(call, ({ action }) => action.toolName ?? action.type)
export const actionOf = (call: CallOfReceipts): string | null => firstOf(call, ({ action }) => action.type)
export const targetOf = (call: CallOfReceipts): string | null => firstOf(call, ({ action }) => action.target)
