import type { ReceiptLoss } from '../../model/messages/odd-details'
import { stringEnd } from '../../text/json-depth'
import { eachJsonValue } from '../../text/json-values'

/** What the reference's hook sends to its daemon, without the time. `input` and `output` are JSON texts as received. */
export interface EmitterFrame {
  v: '1'
  /** Absent if the host gave none: the emitter then invents one. */
  session_id?: string
  channel: string
  tool: { server?: string; name: string }
  input?: string
  output?: string
  error?: string
  decision: Decision
  correlation_id?: string
  agent_id?: string
  agent_type?: string
  target_system?: string
  target_resource?: string
}

export type Decision = 'allowed' | 'denied' | 'pending'

/** Bytes of a frame on its way to the daemon, and of its fields. Above them the emitter refuses the event; it never cuts one. */
export const frameBytesMax = 1024 * 1024
export const identityBytesMax = 256
const targetBytesMax = 4096

/** Bytes that the reference reads of its standard input; what is longer ends there, and is no JSON then. */
export const stdinBytesMax = frameBytesMax + 4096

const utf8 = new TextEncoder()

export const byteLength = (text: string): number => utf8.encode(text).length

/** Why the emitter refuses a frame; null when it takes it. */
export function emitterRefusal(frame: EmitterFrame): ReceiptLoss | null {
  const { input, output } = frame
  if (byteLength(input ?? '') + byteLength(output ?? '') > frameBytesMax)
    return { id: 'payload_too_long', params: { bytes: frameBytesMax } }
  for (const [name, json] of [
    ['input', input],
    ['output', output],
  ] as const)
    if (json !== undefined && !isRepresentable(json))
      return { id: 'number_too_large', params: { field: name } }
  const tooLong = (
    [
      ['correlation_id', identityBytesMax],
      ['agent_id', identityBytesMax],
      ['target_system', identityBytesMax],
      ['target_resource', targetBytesMax],
    ] as const
  ).find(([name, max]) => byteLength(frame[name] ?? '') > max)
  if (tooLong !== undefined) return { id: 'field_too_long', params: { field: tooLong[0], bytes: tooLong[1] } }
  return frameLength(frame) > frameBytesMax
    ? { id: 'frame_too_long', params: { bytes: frameBytesMax } }
    : null
}

/** The field for which the daemon does not take a frame; the hook has ended well by then. */
export function rejectedField({
  agent_id: agentId = '',
  agent_type: agentType = '',
}: EmitterFrame): 'agent_id' | 'agent_type' | null {
  if (/[/\0]/.test(agentId) || byteLength(agentId) > identityBytesMax) return 'agent_id'
  return byteLength(agentType) > identityBytesMax ? 'agent_type' : null
}

/** Whether every number of a sound JSON text is finite as a double. */
function isRepresentable(json: string): boolean {
  let finite = true
  const list = `[${json}]`
  // No other number has so many digits or an exponent.
  if (/\d{300}|\d[eE]/.test(json))
    eachJsonValue(
      list,
      ({ isString, start, end }) => (finite &&= isString || Number.isFinite(Number(list.slice(start, end)))),
    )
  return finite
}

/** Longest spelling of the time that the emitter adds, and of the session that it invents if none is given. */
const TIME = '2026-01-01T00:00:00.000000000Z'
const SESSION = '00000000-0000-0000-0000-000000000000'

/** Bytes of the frame as the reference writes it: without blanks, and with what HTML reads written as escapes. */
function frameLength({ input, output, ...rest }: EmitterFrame): number {
  const otherBytes = byteLength(
    escapeForHtml(JSON.stringify({ session_id: SESSION, ts_emit: TIME, ...rest })),
  )
  const member = (name: string, json: string | undefined): number =>
    json === undefined ? 0 : byteLength(`,"${name}":${escapeForHtml(withoutBlanks(json))}`)
  return otherBytes + member('input', input) + member('output', output)
}

const escapeForHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

function withoutBlanks(json: string): string {
  let dense = ''
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at)
    const end = quote === -1 ? json.length : stringEnd(json, quote)
    dense +=
      json.slice(at, quote === -1 ? end : quote).replace(/[ \t\r\n]+/g, '') +
      (quote === -1 ? '' : json.slice(quote, end))
    at = end
  }
  return dense
}
