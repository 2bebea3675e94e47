import type { WorkedAttempt } from '../executions/merge-calls'

const refused = (a: WorkedAttempt): boolean => a.failureClass === 'user_rejected'

/**
 * Says what a failure that is not its own hangs on: a cancelled sibling on the sibling of the same model message that failed, a refusal on
 * the person who refused, and the other refused calls of one message on the first. They stay counted like every failed call; this is
 * a separate fact, filled in place (docs/sources.md#retry-chains).
 */
export function attachToCause(attempts: WorkedAttempt[]): void {
  const messages = new Map<string, WorkedAttempt[]>()
  for (const attempt of attempts) {
    if (attempt.messageId === null) continue
    const siblings = messages.get(attempt.messageId)
    if (siblings) siblings.push(attempt)
    else messages.set(attempt.messageId, [attempt])
  }
  for (const attempt of attempts) {
    const siblings = attempt.messageId === null ? [attempt] : messages.get(attempt.messageId)!
    if (attempt.failureClass === 'sibling_cancelled') {
      const cause = siblings.find((s) => s.state === 'failed' && s.failureClass !== 'sibling_cancelled')
      attempt.attachedTo = { callId: cause?.callId ?? null, why: 'sibling_failed' }
    } else if (refused(attempt)) {
      const first = siblings.find(refused)!
      attempt.attachedTo =
        first === attempt
          ? { callId: null, why: 'user_refused' }
          : { callId: first.callId, why: 'user_refused_sibling' }
    }
  }
}
