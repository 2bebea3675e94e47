import { toolOf, type ClaudeContext } from './context'
import type { RecordContent } from './draft'
import { wholeSpan } from './span'
import { idsOf, idText } from './text'
import { capText, cutText } from '../../text/cap-text'
import type { ClaudeRecord } from './upgrade'
import { failedResult } from './user'
import { asObject, listAt, noteWrong, numberAt, objectAt, textAt } from './wire'
import type { EventFacts } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

/** Reads a `system` record of print mode by its subtype; unknown subtypes are kept under their own name. */
export function readSystem(record: ClaudeRecord, line: LineInput, context: ClaudeContext): RecordContent {
  const { raw, notes } = record
  const subtype = record.subtype ?? ''
  const text = (key: string): string | null => textAt(raw, key, notes)
  switch (subtype) {
    case 'init':
      return readInit(record)
    case 'api_retry': {
      const status = numberAt(raw, 'error_status', notes)
      const attempt = numberAt(raw, 'attempt', notes)
      const maxRetries = numberAt(raw, 'max_retries', notes)
      const apiRetry = { attempt, maxRetries, status, class: clippedOrNull(text('error')) }
      return {
        kind: 'api_retry',
        summary: {
          id: 'request_failed',
          params: { why: status ?? apiRetry.class ?? 'no answer', attempt, maxRetries },
        },
        facts: { apiRetry },
      }
    }
    case 'permission_denied':
      return readPermissionDenied(record, line, context)
    case 'hook_started':
    case 'hook_progress':
    case 'hook_response':
      return readHook(record)
    case 'compact_boundary':
      return { kind: 'compaction', summary: 'Context was compacted', facts: {} }
    case 'status':
      return {
        kind: 'progress',
        summary: `Status ${text('status') ?? ''} ${text('compact_error') ?? ''}`,
        facts: {},
      }
    case 'task_started':
    case 'task_progress':
    case 'task_updated':
    case 'task_notification': {
      const patch = objectAt(raw, 'patch', notes)
      const state =
        text('status') ??
        (patch === null ? null : textAt(patch, 'status', notes, '/patch')) ??
        subtype.replace('task_', '')
      const error = patch === null ? null : textAt(patch, 'error', notes, '/patch')
      return {
        kind: 'progress',
        summary: `Background task ${state}: ${error ?? text('summary') ?? text('description') ?? ''}`,
        facts: {},
      }
    }
    case 'session_writes_lost': {
      const lost = { id: 'records_lost', params: { code: clippedOrNull(text('error_code')) } } as const
      return { kind: 'meta', summary: lost, facts: {}, odd: { reason: 'gap', detail: lost } }
    }
    default: {
      // Refusals take messages back; the taken ones must not count.
      const retracts = idsOf(listAt(raw, 'retracted_message_uuids', notes))
      const content = typeof raw['content'] === 'string' ? `: ${cutText(raw['content'], 400)}` : ''
      return {
        kind: 'meta',
        summary: `${subtype || 'system'}${content}`,
        facts: retracts.length > 0 ? { retracts } : {},
      }
    }
  }
}

const clippedOrNull = (text: string | null): string | null => (text === null ? null : capText(text, 200))

function readHook({ raw, subtype, notes }: ClaudeRecord): RecordContent {
  const text = (key: string): string | null => textAt(raw, key, notes)
  const outcome = text('outcome')
  const exitCode = numberAt(raw, 'exit_code', notes)
  const failed = outcome === 'error' || (exitCode !== null && exitCode !== 0)
  const said = text('stderr') || text('output') || text('stdout')
  const hook = text('hook_name') ?? text('hook_event') ?? ''
  const summary: RecordContent['summary'] = failed
    ? { id: 'hook_failed', params: { hook, exitCode, output: said || null } }
    : `Hook ${hook} ${outcome ?? subtype!.replace('hook_', '')}${said ? `: ${cutText(said, 400)}` : ''}`
  return { kind: subtype === 'hook_response' ? 'hook' : 'progress', summary, facts: {} }
}

function readInit({ raw, notes }: ClaudeRecord): RecordContent {
  const servers = (listAt(raw, 'mcp_servers', notes) ?? []).map(asObject).filter((server) => server !== null)
  const serversNotConnected = servers
    .filter((server) => textAt(server, 'status', notes, '/mcp_servers') !== 'connected')
    .slice(0, 50)
    .map((server) => capText(textAt(server, 'name', notes, '/mcp_servers') ?? '<unknown>', 200))
  const model = textAt(raw, 'model', notes)
  const missing = serversNotConnected.length === 0 ? '' : `; not connected: ${serversNotConnected.join(', ')}`
  const runStart = { model: clippedOrNull(model), serversNotConnected }
  return {
    kind: 'run_start',
    summary: `Run starts with ${model ?? 'an unnamed model'}${missing}`,
    facts: { runStart },
  }
}

/** One denied call, reported when it happened; the result of the same call may follow and says the same. */
function readPermissionDenied(
  { raw, notes }: ClaudeRecord,
  line: LineInput,
  context: ClaudeContext,
): RecordContent {
  const facts: EventFacts = {}
  const callId = textAt(raw, 'tool_use_id', notes)
  const tool = textAt(raw, 'tool_name', notes)
  const message = textAt(raw, 'message', notes) ?? textAt(raw, 'decision_reason', notes) ?? ''
  if (callId === null || callId === '') noteWrong(notes, '/tool_use_id', 'missing')
  else {
    const result = failedResult(callId, message, tool ?? toolOf(context, idText(callId)), line, ['message'])
    facts.results = [
      { ...result, signs: ['denial_recorded'], ...(message === '' ? { span: wholeSpan(line) } : {}) },
    ]
  }
  return { kind: 'result', summary: `${tool ?? 'Tool'} was refused: ${message}`, facts }
}
