import { rejectedField, type EmitterFrame } from '@/lib/formats/receipt/emitter-frame'
import { readGoFields } from '@/lib/formats/receipt/go-fields'
import { valueHash } from '@/lib/formats/receipt/receipt-hash'

/** What of a receipt follows from a frame alone; who signed it and where it is in its chain do not. */
export interface HookReceipt {
  status: 'success' | 'failure' | 'pending'
  action_type: string
  tool_name: string
  target: { system: string; resource: string } | null
  parameters_hash: string | null
  response_hash: string | null
  correlation_id: string | null
  /** What follows the id of the root chain; null in the root chain itself. */
  agent_chain_suffix: string | null
}

/** The daemon does not take the frame, after the hook reported success: the call has no receipt. Names the field. */
export interface RejectedFrame {
  rejected_by_daemon: NonNullable<ReturnType<typeof rejectedField>>
}

/**
 * What the reference's daemon makes of a frame.
 *
 * @see docs/sources/receipts.md#receipt-hook
 */
export function hookReceiptOf(frame: EmitterFrame): HookReceipt | RejectedFrame {
  const rejected = rejectedField(frame)
  if (rejected !== null) return { rejected_by_daemon: rejected }
  const { agent_id: agentId = '', tool, channel } = frame
  return {
    status: outcomeStatus(frame),
    action_type: [channel, ...(tool.server ? [tool.server] : []), tool.name].join('.'),
    tool_name: tool.name,
    target:
      frame.target_system && frame.target_resource
        ? { system: frame.target_system, resource: frame.target_resource }
        : null,
    parameters_hash: jsonHash(frame.input),
    response_hash: jsonHash(frame.output),
    correlation_id: frame.correlation_id || null,
    agent_chain_suffix: agentId === '' ? null : `/agent/${agentId}`,
  }
}

/** Decision and outcome are two things: an allowed call may have failed, a denied one always has. */
export function outcomeStatus({ decision, error, channel, output }: EmitterFrame): HookReceipt['status'] {
  if (decision === 'pending') return 'pending'
  if (decision === 'denied' || error) return 'failure'
  // Only this channel's answers carry the flag with that meaning: a server's tool that was called through the hook stays a success.
  const saysError =
    channel === 'mcp' && output !== undefined && readGoFields(output, { isError: 'flag' })?.isError === true
  return saysError ? 'failure' : 'success'
}

/** Nothing and `null` have no hash. */
const jsonHash = (json: string | undefined): string | null =>
  json === undefined || json === 'null' ? null : valueHash(JSON.parse(replaceLoneSurrogates(json)))

/** A JSON text with U+FFFD for each escape of half a surrogate pair, as the reference reads it. */
const replaceLoneSurrogates = (json: string): string =>
  /\\u[dD][89a-fA-F]/.test(json)
    ? json.replace(
        /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g,
        (all, lone?: string) => (lone === undefined ? all : '\\ufffd'),
      )
    : json
