import type { Usage } from '../model/execution'
import type { UsageFact } from '../model/event-facts'

const FIELDS = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'] as const

/**
 * Adds up usage, each model message once however many records and streams repeat it. Records of one message can contain a growing
 * count while the message is written, so the largest value of each field is the message's.
 */
export function collectUsage(): {
  add(identity: string, usage: UsageFact): void
  sum(retracted: ReadonlySet<string>, costUsd: number | null): Usage
} {
  // A long session has tens of thousands of messages: each is one object and one list of just its records.
  const messages = new Map<
    string,
    Record<(typeof FIELDS)[number], number> & { identities: readonly string[] }
  >()
  return {
    add(identity, usage) {
      let message = messages.get(usage.messageId)
      if (!message) {
        message = {
          inputTokens: 0,
          outputTokens: 0,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
          identities: [],
        }
        messages.set(usage.messageId, message)
      }
      for (const field of FIELDS) message[field] = Math.max(message[field], usage[field])
      // Not pushed: a list that grows takes room for 17.
      message.identities = [...message.identities, identity]
    },
    sum(retracted, costUsd) {
      const total: Usage = {
        inputTokens: 0,
        outputTokens: 0,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        messages: 0,
        costUsd,
      }
      for (const message of messages.values()) {
        if (retracted.size > 0 && message.identities.every((id) => retracted.has(id))) continue
        total.messages++
        for (const field of FIELDS) total[field] += message[field]
      }
      return total
    },
  }
}
