import { targetOf } from './target'
import { hookErrorText } from '../receipt/hook-error'
import { callFact, saidFact } from './assistant'
import { rememberTool, type ClaudeContext } from './context'
import { unknownType, untyped, type RecordContent } from './draft'
import { promptOf } from './prompt'
import { rangeOf, spanOf, wholeSpan } from './span'
import { idText } from './text'
import { capText, cutText } from '../../text/cap-text'
import { failedResult } from './user'
import {
  anyAt,
  asObject,
  flagAt,
  listAt,
  noteWrong,
  numberAt,
  textAt,
  type JsonObject,
  type Notes,
} from './wire'
import type { CallFact, EventFacts, ResultFact } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

export interface Frame {
  /** The frame under its names in lower case. */
  record: JsonObject
  spelled: Map<string, string>
  line: LineInput
  context: ClaudeContext
  notes: Notes
}

/** Events that are known and carry nothing to judge by. */
const QUIET = new Set([
  'PermissionRequest',
  'Notification',
  'TaskCreated',
  'TaskCompleted',
  'UserPromptExpansion',
  'PreModelSwitch',
  'PostModelSwitch',
  'Setup',
  'TeammateIdle',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
])

/**
 * Reads one frame by its event. A call ends in exactly one of `PostToolUse` and `PostToolUseFailure`, and both repeat the call,
 * so a collector that is wired to one of them only still knows which call it was. Unknown events are kept and flagged.
 *
 * @see docs/sources/claude-code.md#claude-hook
 */
export function readFrame(frame: Frame): RecordContent {
  const { record, line, notes } = frame
  const event = textAt(record, 'hook_event_name', notes) ?? ''
  const text = (key: string): string | null => textAt(record, key, notes)
  switch (event) {
    case 'PreToolUse': {
      const call = readCall(frame, record, null)
      return { kind: 'call', summary: headOf(frame), facts: call === null ? {} : { calls: [call] } }
    }
    case 'PostToolUse':
      return readEnded(frame, (callId) => ({ callId, failed: false, span: wholeSpan(line) }))
    case 'PostToolUseFailure':
      return readEnded(frame, (callId) => readFailure(frame, callId))
    case 'PermissionDenied':
      return readEnded(frame, (callId) => ({
        ...failedResult(
          callId,
          text('reason') || 'permission denied',
          text('tool_name'),
          line,
          pathOf(frame, 'reason'),
        ),
        signs: ['denial_recorded'],
      }))
    case 'PostToolBatch': {
      // Whether each call failed is not said here; the frames of the single calls say it.
      const calls = (listAt(record, 'tool_calls', notes) ?? []).flatMap((value) => {
        const entry = asObject(value)
        return (entry && readCall(frame, entry, null)) ?? []
      })
      return {
        kind: 'call',
        summary: `Batch: ${calls.map((call) => call.tool).join(', ')}`,
        facts: calls.length > 0 ? { calls } : {},
      }
    }
    case 'UserPromptSubmit': {
      const asked = promptOf(text('prompt') ?? '')
      const title = text('session_title')
      const facts: EventFacts = {
        ...(asked === null ? {} : { prompt: capText(asked, 300) }),
        ...(title ? { title: capText(title, 300) } : {}),
      }
      return { kind: 'prompt', summary: asked ?? 'Prompt', facts }
    }
    case 'SessionStart':
    case 'SubagentStart': {
      const model = text('model')
      const facts: EventFacts = {
        runStart: { model: model === null ? null : capText(model, 200), serversNotConnected: [] },
      }
      return { kind: 'run_start', summary: `${event} ${text('source') ?? text('agent_type') ?? ''}`, facts }
    }
    case 'Stop':
    case 'SubagentStop':
    case 'StopFailure':
    case 'SessionEnd':
      return readEnd(frame, event)
    case 'PreCompact':
    case 'PostCompact':
      return { kind: 'compaction', summary: `${event} ${text('trigger') ?? ''}`, facts: {} }
    case '':
      return untyped(line)
    default: {
      const summary = `${event}: ${text('message') ?? text('tool_name') ?? text('task_subject') ?? ''}`
      return QUIET.has(event) ? { kind: 'meta', summary, facts: {} } : unknownType(event, summary)
    }
  }
}

const pathOf = (frame: Frame, name: string): string[] => [frame.spelled.get(name) ?? name]

const headOf = ({ record }: Frame): string => {
  const quiet: Notes = { wrong: [] }
  const target = targetOf(anyAt(record, 'tool_input'))
  return `${textAt(record, 'tool_name', quiet) ?? 'Tool'}${target === null ? '' : `: ${cutText(target, 200)}`}`
}

/**
 * @param fallbackId id for a frame without one, so that a finished call is not lost; calls that only begin are not invented
 */
function readCall(
  { line, context, notes }: Frame,
  entry: JsonObject,
  fallbackId: string | null,
): CallFact | null {
  const callId = textAt(entry, 'tool_use_id', notes) || fallbackId
  if (callId === null) {
    noteWrong(notes, '/tool_use_id', 'missing')
    return null
  }
  const tool = capText(textAt(entry, 'tool_name', notes) || 'unknown', 200)
  rememberTool(context, idText(callId), tool)
  return callFact({ callId, tool, input: anyAt(entry, 'tool_input') }, null, line)
}

/** A call that came to its end, with its call and its result in one frame. */
function readEnded(frame: Frame, resultOf: (callId: string) => ResultFact): RecordContent {
  const { record, line, notes } = frame
  const call = readCall(frame, record, `frame-${line.digest}`)!
  const result = resultOf(call.callId)
  const durationMs = numberAt(record, 'duration_ms', notes)
  if (durationMs !== null && durationMs >= 0) result.durationMs = Math.round(durationMs)
  const summary = result.failed ? `${call.tool} failed: ${result.text ?? ''}` : `${headOf(frame)} done`
  return { kind: 'result', summary, facts: { calls: [call], results: [result] } }
}

function readFailure(frame: Frame, callId: string): ResultFact {
  const { record, spelled, line, notes } = frame
  const isInterrupt = flagAt(record, 'is_interrupt', notes) === true
  const key = spelled.get('error') ?? 'error'
  const error = anyAt(record, 'error')
  const range = rangeOf(line.text, [key])
  const { text } = hookErrorText(range === null ? null : line.text.slice(range.start, range.end), isInterrupt)
  const result = failedResult(
    callId,
    text,
    textAt(record, 'tool_name', notes),
    line,
    [key],
    typeof error === 'string' ? error : '',
  )
  return isInterrupt ? { ...result, signs: ['interrupt_recorded'] } : result
}

function readEnd(frame: Frame, event: string): RecordContent {
  const { record, line, notes } = frame
  const text = (key: string): string | null => textAt(record, key, notes)
  const said = text('last_assistant_message')
  const reason = text('reason')
  const error = event === 'StopFailure' ? text('error') || 'unknown' : null
  const facts: EventFacts = { ended: { how: event, error: error === null ? null : capText(error, 200) } }
  if (reason) facts.ended!.reason = capText(reason, 200)
  if (error !== null) {
    const details = text('error_details') || said || error
    const span = spanOf(
      line,
      pathOf(frame, text('error_details') ? 'error_details' : said ? 'last_assistant_message' : 'error'),
    )
    facts.apiError = { class: capText(error, 200), status: null, text: cutText(details, 2_000), span }
    return { kind: 'api_error', summary: { id: 'stopped_on_error', params: { error, details } }, facts }
  }
  if (said !== null && said.trim() !== '') {
    facts.said = saidFact(said, line, pathOf(frame, 'last_assistant_message'))
    return { kind: 'text', summary: `${event}: ${said}`, facts }
  }
  return { kind: 'meta', summary: `${event} ${reason ?? ''}`, facts }
}
