import type { ReceiptFacts } from './receipt'
import type { ReceiptEvent } from '../../model/receipt-facts'

const EVENTS: Record<string, ReceiptEvent> = {
  'agent_receipts.events_dropped': 'events_dropped',
  'agent_receipts.chain_interrupted': 'chain_interrupted',
  'agent.key.rotate': 'key_rotation',
  'doctor.agent-receipts-doctor.roundtrip': 'self_test',
}

/** Which event a receipt is; null for a call. That keys are named makes a rotation, whatever the type says. @see docs/sources/receipts.md */
export function eventOf({
  action,
  keyRotation,
}: Pick<ReceiptFacts, 'action' | 'keyRotation'>): ReceiptEvent | null {
  if (keyRotation !== null) return 'key_rotation'
  return action.type !== null && Object.hasOwn(EVENTS, action.type) ? EVENTS[action.type]! : null
}
