import type { ReceiptLoss } from '../../model/messages/odd-details'
import { byteLength, identityBytesMax, rejectedField, stdinBytesMax } from './emitter-frame'
import { readGoFields } from './go-fields'
import { RECOGNISED, runReferenceHook } from './hook-frame'

const DAEMON_SAYS: Record<'agent_id' | 'agent_type', ReceiptLoss> = {
  agent_id: { id: 'agent_id_not_plain', params: {} },
  agent_type: { id: 'field_too_long', params: { field: 'agent_type', bytes: identityBytesMax } },
}

/**
 * Why the hook of Agent Receipts leaves no receipt for the call of a frame; null when it does, and for what is no frame
 * of a call: that it passes over by design.
 *
 * @param text the frame as it was received
 * @see docs/sources/receipts.md#receipt-hook
 */
export function whyLost(text: string): ReceiptLoss | null {
  const fields = readGoFields(text, { hook_event_name: 'text' })
  if (fields === null || !RECOGNISED.has(fields.hook_event_name)) return null
  if (byteLength(text) > stdinBytesMax) return { id: 'frame_too_long', params: { bytes: stdinBytesMax } }
  const { why, frame } = runReferenceHook(text, false)
  const rejected = frame === null ? null : rejectedField(frame)
  return rejected === null ? why : DAEMON_SAYS[rejected]
}
