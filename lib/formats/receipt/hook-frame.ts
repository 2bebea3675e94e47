import type { ReceiptLoss } from '../../model/messages/odd-details'
import { trimSpace } from '../claude/failure-signal'
import { byteLength, emitterRefusal, stdinBytesMax, type EmitterFrame } from './emitter-frame'
import { readGoFields } from './go-fields'
import { hookErrorText } from './hook-error'

/** How far a frame came: ignored, no frame after all, refused by the emitter, or sent. */
export type HookStage = 'unrecognised' | 'parse' | 'emit' | 'sent'

export interface HookRun {
  stage: HookStage
  /** Why it came no further. */
  why: ReceiptLoss | null
  /** Null unless it was sent. */
  frame: EmitterFrame | null
  /** A tool that always works on a file named none. */
  warnsMissingFilePath: boolean
  errorCut: boolean
}

/** Events that the hook takes without the environment's word. */
export const RECOGNISED: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure'])

const FIELDS = {
  hook_event_name: 'text',
  session_id: 'text',
  tool_use_id: 'text',
  tool_name: 'text',
  agent_id: 'text',
  agent_type: 'text',
  transcript_path: 'text',
  tool_input: 'json',
  tool_response: 'json',
  error: 'json',
  is_interrupt: 'flag',
} as const

/**
 * What the reference's hook makes of one run: which frame goes to the daemon, or why none does. What it drops is reported, too, so that a
 * collector beside it can say which calls have no receipt.
 *
 * @param stdin     what the hook was given on standard input
 * @param hasMarker whether the environment named a session (`CLAUDE_SESSION_ID`, not empty)
 * @see docs/sources/receipts.md#receipt-hook
 */
export function runReferenceHook(stdin: string, hasMarker: boolean): HookRun {
  const text = cutStdin(stdin)
  const event = readGoFields(text, { hook_event_name: 'text' })?.hook_event_name ?? ''
  if (!hasMarker && !RECOGNISED.has(event)) return ended('unrecognised', 'unknown_event')
  const fields = readGoFields(text, FIELDS)
  if (fields === null) return ended('parse', text === '' ? 'empty' : 'not_a_frame')
  if (fields.tool_name === '') return ended('parse', 'no_tool_name')

  const failure = event === 'PostToolUseFailure' ? hookErrorText(fields.error, fields.is_interrupt) : null
  const target = targetOf(fields.tool_name, fields.tool_input)
  const frame: EmitterFrame = {
    v: '1',
    ...optional('session_id', fields.session_id),
    channel: 'claude-code',
    tool: { name: fields.tool_name },
    ...optional('input', fields.tool_input),
    ...optional('output', fields.tool_response),
    ...optional('error', failure?.text),
    decision: event === 'PreToolUse' ? 'pending' : 'allowed',
    ...optional('correlation_id', fields.tool_use_id),
    ...optional('agent_id', fields.agent_id),
    ...optional('agent_type', fields.agent_type),
    ...(target.path === '' ? {} : { target_system: 'filesystem', target_resource: target.path }),
  }
  const refusal = emitterRefusal(frame)
  const run = { warnsMissingFilePath: target.isMissing, errorCut: failure?.cut ?? false }
  return refusal === null
    ? { stage: 'sent', why: null, frame, ...run }
    : { stage: 'emit', why: refusal, frame: null, ...run }
}

const ended = (
  stage: HookStage,
  id: 'unknown_event' | 'empty' | 'not_a_frame' | 'no_tool_name',
): HookRun => ({
  stage,
  why: { id, params: {} },
  frame: null,
  warnsMissingFilePath: false,
  errorCut: false,
})

/** A member, unless there is nothing to say. */
const optional = <Name extends string>(
  name: Name,
  text: string | null | undefined,
): { [K in Name]?: string } => (text ? { [name]: text } : {}) as { [K in Name]?: string }

function cutStdin(stdin: string): string {
  if (stdin.length <= stdinBytesMax / 3 || byteLength(stdin) <= stdinBytesMax) return stdin
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    new TextEncoder().encode(stdin).subarray(0, stdinBytesMax),
  )
}

/** Tools that work on no file, whatever their input says; the tools of servers are none either. */
const NO_FILE = new Set(['Bash', 'Agent', 'WebFetch', 'WebSearch'])
const ALWAYS_FILE = new Set(['Read', 'Write', 'Edit', 'MultiEdit'])

function targetOf(tool: string, input: string | null): { path: string; isMissing: boolean } {
  const none = { path: '', isMissing: false }
  if (input === null || NO_FILE.has(tool) || tool.startsWith('mcp__')) return none
  const fields = readGoFields(input, { file_path: 'text' })
  // An input that is no object, or a path that is no text, is passed over without a word.
  if (fields === null) return none
  const path = trimSpace(fields.file_path)
  return { path, isMissing: path === '' && ALWAYS_FILE.has(tool) }
}
