import type { UsageFact } from '../ingest/normal-form'
import type { Usage } from './types'

const FIELDS = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'] as const

/**
 * Adds up usage, each model message once however many records and streams repeat it. Records of one message can hold a growing
 * count while the message is written, so the largest value of each field is the message's.
 */
export function collectUsage(): {
  add(identity: string, usage: UsageFact): void
  sum(retracted: ReadonlySet<string>, costUsd: number | null): Usage
} {
  const messages = new Map<string, { largest: number[]; identities: string[] }>()
  return {
    add(identity, usage) {
      let message = messages.get(usage.messageId)
      if (!message) messages.set(usage.messageId, (message = { largest: [0, 0, 0, 0], identities: [] }))
      FIELDS.forEach((field, i) => (message.largest[i] = Math.max(message.largest[i]!, usage[field])))
      message.identities.push(identity)
    },
    sum(retracted, costUsd) {
      const total = [0, 0, 0, 0]
      let counted = 0
      for (const { largest, identities } of messages.values()) {
        if (retracted.size > 0 && identities.every((id) => retracted.has(id))) continue
        counted++
        largest.forEach((n, i) => (total[i]! += n))
      }
      return {
        inputTokens: total[0]!,
        outputTokens: total[1]!,
        cacheReadInputTokens: total[2]!,
        cacheCreationInputTokens: total[3]!,
        messages: counted,
        costUsd,
      }
    },
  }
}
