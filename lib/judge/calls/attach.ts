import type { WorkedCall } from './merge-calls'

const refused = (a: WorkedCall): boolean => a.failureClass === 'user_rejected'

/**
 * Says what a failure that is not its own hangs on: a cancelled sibling on the sibling of the same model message that failed, a refusal on
 * the person who refused, and the other refused calls of one message on the first. They stay counted like every failed call; this is
 * a separate fact, filled in place (docs/sources/attempts.md#retry-chains).
 */
export function attachToCause(calls: WorkedCall[]): void {
  const messages = new Map<string, WorkedCall[]>()
  for (const call of calls) {
    if (call.messageId === null) continue
    const siblings = messages.get(call.messageId)
    if (siblings) siblings.push(call)
    else messages.set(call.messageId, [call])
  }
  for (const call of calls) {
    const siblings = call.messageId === null ? [call] : messages.get(call.messageId)!
    if (call.failureClass === 'sibling_cancelled') {
      const cause = siblings.find((s) => s.state === 'failed' && s.failureClass !== 'sibling_cancelled')
      call.attachedTo = { callId: cause?.callId ?? null, why: 'sibling_failed' }
    } else if (refused(call)) {
      const first = siblings.find(refused)!
      call.attachedTo =
        first === call
          ? { callId: null, why: 'user_refused' }
          : { callId: first.callId, why: 'user_refused_sibling' }
    }
  }
}
