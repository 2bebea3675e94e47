import type { AttentionMessage } from './messages/attention'

/** Whether a person should look at an execution, by which rule; inferred always. */
export interface Attention {
  needed: boolean
  rule: AttentionMessage['id']
  params: AttentionMessage['params']
}

/** The same as a row keeps it: with the text of the day, and with an id that only another version may know. */
export interface StoredAttention {
  needed: boolean
  rule: string
  params: unknown
  text: string
}
