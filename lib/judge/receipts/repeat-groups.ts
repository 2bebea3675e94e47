import type { ReceiptFacts } from '../../formats/receipt/receipt'
import type { ReceiptCall } from './pair-receipts'
import type { RepeatRule } from '../../model/silence'

export interface RepeatGroup<R> {
  rule: RepeatRule
  /** In the order in which they were given; at least two. */
  calls: ReceiptCall<R>[]
}

type Grouped = Pick<ReceiptFacts, 'agentId' | 'action'>

/**
 * Groups the calls of a session that repeat one another: those with the same idempotency key; of the others, those of one agent and tool
 * with the same target (without one: the same parameters), from a failure to the first that does not fail.
 *
 * @param calls of one session in order of time
 * @see docs/sources/receipts.md
 */
export function groupRepeats<R extends Grouped>(calls: readonly ReceiptCall<R>[]): RepeatGroup<R>[] {
  const groups: RepeatGroup<R>[] = []
  const open = new Map<string, RepeatGroup<R>>()
  for (const call of calls) {
    const found = repeatRuleOf(call)
    if (found === null) continue
    const group = open.get(found.key)
    if (group !== undefined && (found.rule === 'idempotency_key' || group.calls.at(-1)!.status === 'failure'))
      group.calls.push(call)
    else {
      const begun: RepeatGroup<R> = { rule: found.rule, calls: [call] }
      open.set(found.key, begun)
      groups.push(begun)
    }
  }
  return groups.filter((group) => group.calls.length > 1)
}

/** What a call is known by. Its receipts are asked in turn: a proxy knows the key, a hook the target. */
export function repeatRuleOf<R extends Grouped>({
  finals,
  pending,
}: ReceiptCall<R>): { rule: RepeatRule; key: string } | null {
  const receipts = [...finals, ...pending]
  const first = <T>(read: (receipt: R) => T | null): T | null =>
    receipts.map(read).find((value) => value !== null) ?? null
  const idempotencyKey = first(({ action }) => action.idempotencyKey)
  if (idempotencyKey !== null) return { rule: 'idempotency_key', key: JSON.stringify([idempotencyKey]) }
  const place = [first(({ agentId }) => agentId), first(({ action }) => action.toolName ?? action.type)]
  const target = first(({ action }) => action.target)
  if (target !== null) return { rule: 'same_target', key: JSON.stringify([...place, 'target', target]) }
  const parametersHash = first(({ action }) => action.parametersHash)
  return parametersHash === null
    ? null
    : { rule: 'same_parameters', key: JSON.stringify([...place, 'parameters', parametersHash]) }
}
