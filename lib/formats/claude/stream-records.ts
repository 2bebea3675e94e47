import { unknownType, untyped, type RecordContent } from './draft'
import { capText } from '../../text/cap-text'
import type { ClaudeRecord } from './upgrade'
import { numberAt, objectAt, textAt } from './wire'
import type { LineInput } from '../../model/adapter'

const QUIET = new Set([
  'auth_status',
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'tool_use_summary',
])

/** Reads what is neither message, system record nor result. Unknown types are kept and flagged. */
export function readOther({ type, raw, notes }: ClaudeRecord, line: LineInput): RecordContent {
  if (type === 'stream_event') return { kind: 'progress', summary: 'Partial message', facts: {} }
  if (type === 'tool_progress') {
    const tool = textAt(raw, 'tool_name', notes) ?? 'Tool'
    const retry = objectAt(raw, 'subagent_retry', notes)
    const seconds = numberAt(raw, 'elapsed_time_seconds', notes)
    if (retry === null)
      return { kind: 'progress', summary: `${tool} runs for ${seconds ?? '?'} s`, facts: {} }
    const category = textAt(retry, 'error_category', notes, '/subagent_retry')
    const apiRetry = {
      attempt: numberAt(retry, 'attempt', notes, '/subagent_retry'),
      maxRetries: numberAt(retry, 'max_retries', notes, '/subagent_retry'),
      status: numberAt(retry, 'error_status', notes, '/subagent_retry'),
      class: category === null ? null : capText(category, 200),
    }
    const summary = `Sub-agent of ${tool}: request failed (${apiRetry.status ?? category ?? 'no answer'})`
    return { kind: 'api_retry', summary, facts: { apiRetry } }
  }
  if (type === 'rate_limit_event') {
    const info = objectAt(raw, 'rate_limit_info', notes)
    const status = info === null ? null : textAt(info, 'status', notes, '/rate_limit_info')
    const kind = info === null ? null : textAt(info, 'rateLimitType', notes, '/rate_limit_info')
    return {
      kind: 'meta',
      summary: `Rate limit ${status ?? 'unknown'}${kind === null ? '' : ` (${kind})`}`,
      facts: {},
    }
  }
  if (type !== null && QUIET.has(type))
    return { kind: 'meta', summary: textAt(raw, 'summary', notes) ?? type, facts: {} }
  return type === null || type === '' ? untyped(line) : unknownType(type)
}
