import type { AttentionMessage } from './messages/attention'

/** Whether a person should look at an execution, by which rule; inferred always. */
export interface Attention {
  needed: boolean
  rule: AttentionMessage['id']
  params: AttentionMessage['params']
}
