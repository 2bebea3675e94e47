import { isSameInput, NO_INPUT } from '../../model/same-input'
import type { LinkRule } from '../../model/messages/links'
import type { Call, Chain } from '../../model/summary'
import type { Basis } from '../../model/execution'

/** A call, and whether only receipts tell of it; which call it is, where its source counts them. */
type Linkable = Call & {
  receiptOnly?: boolean
  counted?: { number: number; max: number | null; asserted: boolean } | null
}

/** Whether receipts alone tell of a call, and name no target: then its parameters are all that another call can be compared by. */
const isByParameters = ({ receiptOnly, target }: Linkable): boolean => receiptOnly === true && target === null

/** Whether nothing tells what a call was about, so that nobody can say whether another was a further call of it. */
export const isIncomparable = (a: Linkable): boolean => isByParameters(a) && a.inputDigest === NO_INPUT

/** What the calls of one piece of work share; one that cannot be compared shares it with none. */
const workKeyOf = (a: Linkable): string =>
  isIncomparable(a)
    ? `call\u0000${a.callId}`
    : isByParameters(a)
      ? `parameters\u0000${a.tool}\u0000${a.inputDigest}`
      : `target\u0000${keyOf(a.tool, a.target)}`

const keyOf = (tool: string, target: string | null): string =>
  `${tool}\u0000${target === null ? '' : `=${target}`}`

/**
 * Groups the calls of one agent by tool and target and reads its retry chains: a chain is a maximal run of failed calls in such a group,
 * recovered when the group's next call succeeds. A call without a result is neither success nor failure, so it ends a run and
 * recovers nothing. Calls of one tool whose input names no target share a group (docs/sources/attempts.md#retry-chains).
 * Of a call that only receipts tell of nobody knows whether its input named a target: without one it goes with those of the same
 * `parameters_hash`, and without both with none (docs/sources/receipts.md).
 *
 * Where the source counts the calls, its numbers stand, and a link is recorded (docs/sources/noetl.md).
 *
 * Fills `chain`, `numberInChain`, `linkRule`, `linkParams`, `linkBasis` and `inputChanged` of the calls in place; the call after the run belongs to the
 * chain as its last call. Chains are numbered by their first failed call.
 *
 * @param calls   calls of one execution in the order they were made
 */
export function linkCalls(calls: Linkable[]): Chain[] {
  const groups = new Map<string, Linkable[]>()
  for (const call of calls) {
    const key = workKeyOf(call)
    const group = groups.get(key)
    if (group) group.push(call)
    else groups.set(key, [call])
  }
  const runs: { failed: Linkable[]; next: Linkable | null }[] = []
  for (const group of groups.values()) {
    let failed: Linkable[] = []
    for (const call of group) {
      if (call.state === 'failed') {
        failed.push(call)
        continue
      }
      if (failed.length > 0) runs.push({ failed, next: call })
      failed = []
    }
    if (failed.length > 0) runs.push({ failed, next: null })
  }
  runs.sort((a, b) => a.failed[0]!.ordinal - b.failed[0]!.ordinal)
  const chains = runs.map(({ failed, next }, number): Chain => {
    const linked = next === null ? failed : [...failed, next]
    linked.forEach((call, index) => {
      call.chain = number
      call.numberInChain = call.counted?.number ?? index + 1
      if (index > 0) link(call, linked[index - 1]!, ...linkOf(call))
    })
    return {
      number,
      tool: failed[0]!.tool,
      target: failed[0]!.target,
      failedCallIds: failed.map((a) => a.callId),
      nextCallId: next?.callId ?? null,
      recovered: next?.state === 'succeeded',
    }
  })
  linkLoosely(calls)
  return chains
}

/** By what a call is a further call of the one before it in its group: by the source's own count, where it has one. */
function linkOf(call: Linkable): [rule: LinkRule, basis: Basis] {
  const { counted } = call
  if (counted) {
    const { number: attempt, max, asserted } = counted
    return [{ id: 'counted', params: { attempt, max } }, asserted ? 'recorded' : 'inferred']
  }
  const id = isByParameters(call) ? 'same_tool_same_parameters' : 'same_tool_same_target'
  return [{ id, params: {} }, 'inferred']
}

function link(call: Call, before: Call, { id, params }: LinkRule, basis: Basis): void {
  call.linkRule = id
  call.linkParams = params
  call.linkBasis = basis
  const same = isSameInput(call.inputDigest, before.inputDigest)
  call.inputChanged = same === null ? null : !same
  call.linkedTo = before.callId
}

/** A command that begins like the failed one before it, but is another command: said on the call, counted nowhere. */
function linkLoosely(calls: Call[]): void {
  const last = new Map<string, Call>()
  for (const call of calls) {
    if (call.looseTarget === null) continue
    const key = keyOf(call.tool, call.looseTarget)
    const before = last.get(key)
    if (before?.state === 'failed' && call.linkRule === null && before.target !== call.target)
      link(call, before, { id: 'same_first_words', params: {} }, 'inferred')
    last.set(key, call)
  }
}

/** Looking around: the same program again is another question, not another call. */
export const LOOKS_AROUND =
  /^(?:cat(?!\s*>)|ls|find|head|tail|stat|tree|grep|rg|which|test|wc|file|du|pwd|type|command)\b/

/** Tools whose success has changed the file they name. */
export const CHANGES_FILES: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** Whether a failure text offers a fuller name for the one that was not found: `'x' not found … a:x`, `Did you mean "y"?`. */
export function offersName(text: string, failed: string, later: string): boolean {
  if (later === failed || later.length < 2 || !text.includes(later)) return false
  const parts = later.split(/[:/.]/)
  return (
    parts.includes(failed) ||
    /did you mean/i.test(text.slice(Math.max(0, text.indexOf(later) - 30), text.indexOf(later)))
  )
}
