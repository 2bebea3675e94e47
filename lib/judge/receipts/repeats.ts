import type { RepeatedCall } from '../../model/summary'
import { repeatRuleOf } from './repeat-groups'
import {
  actionOf,
  callsOf,
  inTime,
  nameOf,
  placeOf,
  receiptsOf,
  targetOf,
  toolOf,
  type CallOfReceipts,
} from './receipt-calls'
import { effectsOf } from '../calls/effects'
import { isUnsure } from '../calls/unsure'
import type { ReceiptFact } from '../../model/receipt-facts'

interface Known {
  callId: string
  tool: string
  target: string | null
  inputDigest: string
  state: string
  failureClass: string | null
  errorText: string | null
}

const REPEATS_MAX = 100

/**
 * What was done again within one execution: calls with one idempotency key, and a call that does again what nobody knows whether it was done.
 * A call that failed and was tried again, as after a lost update, did nothing the first time.
 *
 * @param known calls as every channel together tells them
 */
export function findRepeats(receipts: readonly ReceiptFact[], known: readonly Known[]): RepeatedCall[] {
  const byId = new Map(known.map((call) => [call.callId, call]))
  const groups = new Map<string, RepeatedCall>()
  const found: RepeatedCall[] = []
  for (const call of callsOf(inTime(receipts))) {
    const [rule, callId, toolName] = [repeatRuleOf(call), nameOf(call), toolOf(call)]
    if (rule === null || callId === null || toolName === null) continue
    const knownCall = byId.get(callId)
    const action = actionOf(call)
    const { tool, target, inputDigest } = knownCall ?? {
      tool: toolName,
      target: targetOf(call),
      inputDigest: '',
    }
    const [effect] = effectsOf({
      tool,
      target,
      inputDigest,
      receipts: [
        { key: '', executionId: '', sequence: null, status: null, actionType: action, parametersHash: null },
      ],
    })
    const done = doneOf(call, knownCall)
    if (effect === undefined || done === false) continue
    const asserted = rule.rule === 'idempotency_key'
    const key = asserted ? `${rule.key} ${toolName}` : rule.key
    const one = { callId, done, receipts: receiptsOf(call).map(placeOf) }
    const group = groups.get(key)
    // Without a key of the issuer, what is certain may be done again for its own sake.
    if (group === undefined || (!asserted && group.calls.at(-1)!.done)) {
      const begun: RepeatedCall = {
        name: effect.name,
        rule: rule.rule,
        basis: asserted ? 'asserted' : 'inferred',
        calls: [one],
      }
      groups.set(key, begun)
      found.push(begun)
    } else group.calls.push(one)
  }
  return found.filter(({ calls }) => calls.length > 1 && calls.some(({ done }) => done)).slice(0, REPEATS_MAX)
}

/** Whether a call did what it was to do: true, false, or null where nobody knows. The channels together know better than its receipts. */
function doneOf({ status }: CallOfReceipts, knownCall: Known | undefined): boolean | null {
  if (knownCall !== undefined && isUnsure(knownCall)) return null
  if (knownCall?.state === 'failed' || status === 'failure') return false
  return knownCall?.state === 'succeeded' || status === 'success' ? true : null
}
