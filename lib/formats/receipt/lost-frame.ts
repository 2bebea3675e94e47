import { byteLength, rejectedField, stdinBytesMax } from './emitter-frame'
import { readGoFields } from './go-fields'
import { RECOGNISED, runReferenceHook } from './hook-frame'

const DAEMON_SAYS = {
  agent_id: 'agent_id holds a slash or a NUL',
  agent_type: 'agent_type is longer than 256 bytes',
} as const

/**
 * Why the hook of Agent Receipts leaves no receipt for the call of a frame, in a sentence; null when it does, and for what is no frame
 * of a call: that it passes over by design.
 *
 * @param text the frame as it was received
 * @see docs/sources/receipts.md#receipt-hook
 */
export function whyLost(text: string): string | null {
  const fields = readGoFields(text, { hook_event_name: 'text' })
  if (fields === null || !RECOGNISED.has(fields.hook_event_name)) return null
  if (byteLength(text) > stdinBytesMax) return `the frame is longer than ${stdinBytesMax} bytes`
  const { why, frame } = runReferenceHook(text, false)
  const rejected = frame === null ? null : rejectedField(frame)
  return rejected === null ? why : DAEMON_SAYS[rejected]
}
