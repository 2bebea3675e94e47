import { repeatRuleOf } from './repeat-groups'
import { callsOf, inTime, nameOf, placeOf, receiptsOf, toolOf, type CallOfReceipts } from './receipt-calls'
import {
  SILENCE_KINDS,
  type SilenceKind,
  type SilenceFinding,
  type Silence,
  type RepeatRule,
  type ReceiptPlace,
} from '../../model/silence'
import type { ChainReason, UnprovenState } from '../../model/chain-reasons'
import type { ReceiptFact } from '../../model/receipt-facts'

/** Two receipts of a chain between which numbers are missing. */
export interface ChainGap {
  chainId: string
  after: { id: string | null; sequence: number }
  before: { id: string | null; sequence: number }
}

/** A chain that the server found broken at a receipt of the execution, or before it. */
export interface ChainBreak {
  reason: ChainReason
  at: ReceiptPlace
}

/** A chain of the execution of which the server could not say who signed it. */
export interface UnprovenChain {
  reason: UnprovenState
  /** The first receipt of the execution in it. */
  at: ReceiptPlace
}

/** What the other receipts of their chains tell. */
export interface KnownOfChains {
  unproven?: readonly UnprovenChain[]
  breaks?: readonly ChainBreak[]
  gaps?: readonly ChainGap[]
}

/** What is known beside the receipts: of their chains, and of the calls. */
export interface SilenceContext extends KnownOfChains {
  calls: readonly { callId: string; state: string; failureClass: string | null }[]
  chains: readonly { failedCallIds: readonly string[]; nextCallId: string | null }[]
  /** Calls under way have no result yet. */
  isRunning: boolean
}

const FINDINGS_MAX = 200
/** Of these nothing ran, so that no receipt was to come. */
const NOT_RUN: ReadonlySet<string | null> = new Set(['user_rejected', 'sibling_cancelled'])

type Part = ReturnType<typeof receiptsOf>[number]

/**
 * What the receipts of one execution leave unsaid. They may come in any order.
 *
 * @see docs/sources/receipts.md#silence
 */
export function findSilence(receipts: readonly ReceiptFact[], context: SilenceContext): Silence {
  const ordered = inTime(receipts)
  const calls = callsOf(ordered)
  const found = [
    ...(context.breaks ?? []).map(({ reason, at }) => finding('broken', [at], { reason })),
    ...(context.unproven ?? []).map(({ reason, at }) => finding('unproven', [at], { reason })),
    ...(context.gaps ?? []).map(gapFinding),
    ...dropFindings(ordered),
    ...retryFindings(calls, context),
    ...disagreeing(calls, context),
    ...(context.isRunning
      ? []
      : calls
          .filter(({ status }) => status === 'pending')
          .map((call) => finding('unanswered', call.pending, { callId: nameOf(call), tool: toolOf(call) }))),
  ]
  found.sort((a, b) => SILENCE_KINDS.indexOf(a.kind) - SILENCE_KINDS.indexOf(b.kind))
  const counts: Silence['counts'] = {}
  for (const { kind } of found) counts[kind] = (counts[kind] ?? 0) + 1
  return { counts, findings: found.slice(0, FINDINGS_MAX) }
}

const finding = (
  kind: SilenceKind,
  receipts: readonly ReceiptPlace[],
  more: Partial<SilenceFinding> = {},
): SilenceFinding => ({
  kind,
  count: null,
  tool: null,
  callId: null,
  rule: null,
  failureBy: null,
  reason: null,
  ...more,
  receipts: receipts.map(placeOf),
})

function gapFinding({ chainId, after, before }: ChainGap): SilenceFinding {
  return finding(
    'gap',
    [
      { chainId, ...after },
      { chainId, ...before },
    ],
    { count: before.sequence - after.sequence - 1 },
  )
}

const dropFindings = (receipts: readonly ReceiptFact[]): SilenceFinding[] =>
  receipts.flatMap((receipt) => {
    const { event, dropped = null } = receipt
    return event === 'events_dropped' || dropped !== null
      ? [finding('dropped', [receipt], { count: dropped, tool: event === null ? receipt.tool : null })]
      : []
  })

/** A call that repeats another of which no receipt says that it failed; each is named once, by what is surest. */
function retryFindings(
  calls: readonly CallOfReceipts[],
  { calls: known, chains }: SilenceContext,
): SilenceFinding[] {
  const found = new Map<CallOfReceipts, SilenceFinding>()
  const retry = (later: CallOfReceipts, receipts: readonly Part[], rule: SilenceFinding['rule']): void => {
    if (!found.has(later))
      found.set(
        later,
        finding('retry', [...receipts, receiptsOf(later)[0]!], {
          callId: nameOf(later),
          tool: toolOf(later),
          rule,
        }),
      )
  }
  const before = new Map<string, CallOfReceipts>()
  const inferred: [later: CallOfReceipts, earlier: CallOfReceipts, rule: RepeatRule][] = []
  for (const call of calls) {
    const by = repeatRuleOf(call)
    if (by === null) continue
    const asserted = by.rule === 'idempotency_key'
    // A proxy numbers its requests: two servers of one session give the same number to different things.
    const key = asserted ? `${by.key} ${toolOf(call) ?? ''}` : by.key
    const earlier = before.get(key)
    before.set(key, call)
    if (earlier === undefined || earlier.status === 'failure') continue
    if (asserted) retry(call, receiptsOf(earlier).slice(-1), by.rule)
    // What succeeded may be done again for its own sake; what was never answered was tried again.
    else if (earlier.status === 'pending') inferred.push([call, earlier, by.rule])
  }
  const byName = new Map(calls.map((call) => [nameOf(call), call]))
  const classOf = new Map(known.map(({ callId, failureClass }) => [callId, failureClass]))
  for (const { failedCallIds, nextCallId } of chains) {
    const linked = [...failedCallIds, ...(nextCallId === null ? [] : [nextCallId])]
    for (const [at, id] of linked.slice(1).entries()) {
      const failed = linked[at]!
      const [first, later] = [byName.get(failed), byName.get(id)]
      if (
        later !== undefined &&
        (first === undefined || first.finals.length === 0) &&
        !NOT_RUN.has(classOf.get(failed) ?? null)
      )
        retry(later, first?.pending ?? [], 'retry_chain')
    }
  }
  for (const [later, earlier, rule] of inferred) retry(later, receiptsOf(earlier).slice(-1), rule)
  return calls.flatMap((call) => found.get(call) ?? [])
}

/** Receipts that say success of a call that failed. */
function disagreeing(calls: readonly CallOfReceipts[], { calls: known }: SilenceContext): SilenceFinding[] {
  const failed = new Set(known.flatMap(({ callId, state }) => (state === 'failed' ? [callId] : [])))
  return calls.flatMap((call): SilenceFinding[] => {
    const successes = call.finals.filter(({ outcome }) => outcome.status === 'success')
    const failures = call.finals.filter(({ outcome }) => outcome.status === 'failure')
    const name = nameOf(call)
    if (successes.length === 0 || (failures.length === 0 && (name === null || !failed.has(name)))) return []
    return [
      finding('disagrees', [...failures, ...successes], {
        callId: name,
        tool: toolOf(call),
        failureBy: failures.length > 0 ? 'receipt' : 'call',
      }),
    ]
  })
}
