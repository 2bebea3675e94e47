import type { LineInput } from '../normal-form'
import type { Told } from '../claude/draft'
import { clip } from '../claude/text'
import type { ClaudeRecord } from '../claude/upgrade'
import { numberAt, objectAt, textAt } from '../claude/wire'

const QUIET = new Set(['auth_status', 'control_request', 'control_response', 'control_cancel_request', 'keep_alive', 'tool_use_summary'])

/** Reads what is neither message, system record nor result. Unknown types are kept and flagged. */
export function readOther({ type, raw, notes }: ClaudeRecord, line: LineInput): Told {
  if (type === 'stream_event') return { kind: 'progress', summary: 'Partial message', facts: {} }
  if (type === 'tool_progress') {
    const tool = textAt(raw, 'tool_name', notes) ?? 'Tool'
    const retry = objectAt(raw, 'subagent_retry', notes)
    if (retry === null) return { kind: 'progress', summary: `${tool} runs for ${numberAt(raw, 'elapsed_time_seconds', notes) ?? '?'} s`, facts: {} }
    const category = textAt(retry, 'error_category', notes, '/subagent_retry')
    const apiRetry = {
      attempt: numberAt(retry, 'attempt', notes, '/subagent_retry'),
      maxRetries: numberAt(retry, 'max_retries', notes, '/subagent_retry'),
      status: numberAt(retry, 'error_status', notes, '/subagent_retry'),
      class: category === null ? null : clip(category, 200),
    }
    return { kind: 'api_retry', summary: `Sub-agent of ${tool}: request failed (${apiRetry.status ?? category ?? 'no answer'})`, facts: { apiRetry } }
  }
  if (type === 'rate_limit_event') {
    const info = objectAt(raw, 'rate_limit_info', notes)
    const status = info === null ? null : textAt(info, 'status', notes, '/rate_limit_info')
    const kind = info === null ? null : textAt(info, 'rateLimitType', notes, '/rate_limit_info')
    return { kind: 'meta', summary: `Rate limit ${status ?? 'unknown'}${kind === null ? '' : ` (${kind})`}`, facts: {} }
  }
  if (type !== null && QUIET.has(type)) return { kind: 'meta', summary: textAt(raw, 'summary', notes) ?? type, facts: {} }
  if (type === null || type === '') {
    return { kind: 'odd', summary: line.text.slice(0, 400), facts: {}, odd: { reason: 'unknown_type', detail: 'the record has no type' } }
  }
  return { kind: 'meta', summary: type, facts: {}, odd: { reason: 'unknown_type', detail: `no record type of this format is called ${clip(type, 120)}` } }
}
