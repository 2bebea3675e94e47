import { noteChild, type ClaudeContext } from './context'
import { unknownType, untyped, type RecordContent } from './draft'
import { spanOf, wholeSpan } from './span'
import { asText, idsOf, idText } from './text'
import { capText, cutText } from '../../text/cap-text'
import type { ClaudeRecord } from './upgrade'
import { anyAt, asObject, listAt, numberAt, objectAt, textAt, type JsonObject, type Notes } from './wire'
import type { EventFacts } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

/** Records that are neither said nor asked by anyone and carry nothing to judge by. */
const QUIET = new Set([
  'file-history-snapshot',
  'queue-operation',
  'attachment',
  'last-prompt',
  'custom-title',
  'agent-name',
  'summary',
  'pr-link',
])

/**
 * Reads what is no message: system records, progress, titles, links. Unknown types are kept and flagged.
 *
 * @param isSeen whether a record with this uuid went by in this stream of late
 * @see docs/sources/claude-code.md#claude-transcript
 */
export function readOther(
  record: ClaudeRecord,
  line: LineInput,
  context: ClaudeContext,
  session: string,
  isSeen: (uuid: string) => boolean,
): RecordContent {
  const { type, raw, notes } = record
  if (type === 'system') return readSystem(record, line)
  if (type === 'progress') return readProgress(raw, context, session, notes)
  if (type === null || type === '') return untyped(line)
  if (!QUIET.has(type)) return unknownType(type)
  const facts: EventFacts = {}
  let summary = type
  if (type === 'summary') {
    const text = textAt(raw, 'summary', notes)
    const leaf = textAt(raw, 'leafUuid', notes)
    // Files begin with summaries of other sessions; only one made for a record of this file names this session.
    if (text !== null && leaf !== null && isSeen(idText(leaf))) facts.title = capText(text, 300)
    summary = `Summary: ${text ?? ''}`
  } else if (type === 'custom-title') {
    const title = textAt(raw, 'customTitle', notes)
    if (title) facts.title = capText(title, 300)
    summary = `Title: ${title ?? ''}`
  } else if (type === 'pr-link') {
    const repository = textAt(raw, 'prRepository', notes)
    if (repository) facts.repository = capText(repository, 300)
    summary = `Pull request ${textAt(raw, 'prUrl', notes) ?? repository ?? ''}`
  } else if (type === 'queue-operation') {
    summary = `Queue ${textAt(raw, 'operation', notes) ?? ''}: ${stringOf(anyAt(raw, 'content'))}`
  }
  return { kind: 'meta', summary, facts }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 400) : '')

function readProgress(raw: JsonObject, context: ClaudeContext, session: string, notes: Notes): RecordContent {
  const facts: EventFacts = {}
  const data = objectAt(raw, 'data', notes)
  const what = data === null ? null : textAt(data, 'type', notes, '/data')
  const agentId = what === 'agent_progress' ? textAt(data!, 'agentId', notes, '/data') : null
  const callId = textAt(raw, 'parentToolUseID', notes)
  // The sub-agent's own records lie in its own file; here is only the trace that the call started it.
  if (agentId && callId) {
    const child = { callId: idText(callId), childKey: `${session}/agent-${idText(agentId)}` }
    if (noteChild(context, child.callId, child.childKey)) facts.children = [child]
  }
  const said =
    data === null
      ? []
      : ['hookName', 'toolName', 'output', 'agentId'].map((key) => stringOf(anyAt(data, key)))
  const detail = said.find((text) => text !== '') ?? ''
  return { kind: 'progress', summary: `${what ?? 'progress'}${detail === '' ? '' : `: ${detail}`}`, facts }
}

function readSystem(record: ClaudeRecord, line: LineInput): RecordContent {
  const { raw, subtype, notes } = record
  const text = stringOf(anyAt(raw, 'content'))
  switch (subtype) {
    case 'api_error': {
      const error = objectAt(raw, 'error', notes) ?? {}
      const attempt = numberAt(raw, 'retryAttempt', notes)
      const maxRetries = numberAt(raw, 'maxRetries', notes)
      const apiRetry = {
        attempt,
        maxRetries,
        status: numberAt(error, 'status', notes, '/error'),
        class: errorClass(error),
      }
      const params = { why: apiRetry.status, attempt, maxRetries }
      return { kind: 'api_retry', summary: { id: 'request_failed', params }, facts: { apiRetry } }
    }
    case 'stop_hook_summary': {
      const errors = (listAt(raw, 'hookErrors', notes) ?? [])
        .slice(0, 20)
        .map((error) => cutText(asText(error), 2_000))
      const prevented = anyAt(raw, 'preventedContinuation') === true
      const reason = textAt(raw, 'stopReason', notes)
      const key = errors.length > 0 ? 'hookErrors' : reason ? 'stopReason' : 'preventedContinuation'
      const span = errors.length > 0 || prevented ? spanOf(line, [key]) : wholeSpan(line)
      const facts: EventFacts = {
        hookStop: { errors, prevented, reason: reason ? cutText(reason, 2_000) : null, span },
      }
      const state = errors[0] ?? (prevented ? `stopped the run: ${reason ?? ''}` : 'ran')
      return { kind: 'hook', summary: `Stop hooks: ${state}`, facts }
    }
    case 'compact_boundary':
    case 'microcompact_boundary':
      return { kind: 'compaction', summary: text || 'Context was compacted', facts: {} }
    default: {
      const retracts = idsOf(
        listAt(raw, 'retractedMessageUuids', notes) ?? listAt(raw, 'retracted_message_uuids', notes),
      )
      const summary = `${subtype ?? 'system'}${text === '' ? '' : `: ${text}`}`
      const content: RecordContent = { kind: 'meta', summary, facts: retracts.length > 0 ? { retracts } : {} }
      if (subtype === 'session_writes_lost')
        content.odd = { reason: 'gap', detail: { id: 'records_lost', params: { code: null } } }
      return content
    }
  }
}

/** The service's own word for a failed request: the innermost error that has a type. */
function errorClass(error: JsonObject): string | null {
  const inner = asObject(anyAt(error, 'error'))
  const innermost = inner === null ? null : asObject(anyAt(inner, 'error'))
  for (const level of [innermost, inner, error]) {
    const type = level === null ? null : anyAt(level, 'type')
    if (typeof type === 'string' && type !== '' && type !== 'error') return capText(type, 200)
  }
  return null
}
