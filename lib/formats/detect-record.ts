import type { DetectionReason, OtherFormat } from '../model/messages/detection'
import { readElement } from './async-pipeline/read-element'
import { readLogPath } from './autoskillit/layout'
import type { IngestKind } from '../model/ingest-kinds'

export type Verdict =
  | { status: 'supported'; kind: IngestKind }
  | {
      status: 'recognised'
      why: Extract<DetectionReason, { id: 'known_file' | 'other_format' }>
    }

type Rec = Record<string, unknown>
interface Format {
  format: OtherFormat
  fits: (r: Rec, type: string, fileName: string) => boolean
}

const text = (r: Rec, key: string): boolean => typeof r[key] === 'string'
const object = (r: Rec, key: string): boolean => typeof r[key] === 'object' && r[key] !== null
const holds = (r: Rec, ...keys: string[]): boolean => keys.every((key) => key in r)

/** Formats that are known by name; they come before Claude's own, with which some share a key. */
const otherFormats: Format[] = [
  {
    format: 'codex-rollout',
    fits: (r, type) =>
      object(r, 'payload') && /^(session_meta|turn_context|response_item|event_msg|compacted)$/.test(type),
  },
  {
    format: 'codex-exec',
    fits: (_, type) => /^(thread|turn|item)\.(started|updated|completed|failed)$/.test(type),
  },
  {
    format: 'opencode',
    fits: (r) =>
      text(r, 'sessionID') &&
      (holds(r, 'part') || holds(r, 'role') || holds(r, 'error') || holds(r, 'messageID')),
  },
  {
    format: 'gemini-chat',
    fits: (r) => text(r, 'sessionId') && text(r, 'projectHash'),
  },
  { format: 'gemini-output', fits: isGeminiOutput },
  { format: 'swe-agent', fits: (r) => Array.isArray(r['trajectory']) },
  {
    format: 'atif',
    fits: (r) =>
      text(r, 'schema_version') &&
      (Array.isArray(r['steps']) || /^atif/i.test(r['schema_version'] as string)),
  },
  { format: 'claude-telemetry', fits: isTelemetry },
]

const transcriptTypes =
  /^(file-history-snapshot|queue-operation|pr-link|custom-title|agent-name|last-prompt|attachment|progress|ai-title|permission-mode)$/
const streamTypes =
  /^(stream_event|tool_progress|tool_use_summary|rate_limit_event|auth_status|control_request|control_response)$/

/** What one record says about the format of its file; `null` when it could be of several. */
export function classifyRecord(r: Rec, fileName: string | null): Verdict | null {
  const type = typeof r['type'] === 'string' ? r['type'] : ''
  if (text(r, 'hook_event_name')) return { status: 'supported', kind: 'claude-hook' }
  if (type === 'record.start' && text(r, 'recordId')) return { status: 'supported', kind: 'record' }
  if (isReceipt(r)) return { status: 'supported', kind: 'receipts' }
  if (readElement(r) !== null) return { status: 'supported', kind: 'async-pipeline' }
  if (isAutoSkillit(r, fileName)) return { status: 'supported', kind: 'autoskillit' }
  for (const { format, fits } of otherFormats)
    if (fits(r, type, fileName ?? ''))
      return { status: 'recognised', why: { id: 'other_format', params: { format } } }
  if (isNoetl(r)) return { status: 'supported', kind: 'noetl' }
  if (isTranscript(r, type)) return { status: 'supported', kind: 'claude-transcript' }
  if (isStream(r, type)) return { status: 'supported', kind: 'claude-stream' }
  return null
}

function isTranscript(r: Rec, type: string): boolean {
  if (text(r, 'session_id')) return false
  if (type === 'summary') return text(r, 'summary') && (holds(r, 'leafUuid') || Object.keys(r).length === 2)
  if (type === 'file-history-snapshot') return true
  if (text(r, 'sessionId'))
    return (
      holds(r, 'uuid') ||
      holds(r, 'message') ||
      type === 'user' ||
      type === 'assistant' ||
      type === 'system' ||
      transcriptTypes.test(type)
    )
  return text(r, 'uuid') && holds(r, 'parentUuid') && type !== ''
}

function isStream(r: Rec, type: string): boolean {
  if (streamTypes.test(type)) return true
  if (type === 'result') return text(r, 'subtype') || holds(r, 'is_error') || holds(r, 'num_turns')
  if (type === 'assistant' || type === 'user') return object(r, 'message')
  return type === 'system' && text(r, 'subtype') && (text(r, 'session_id') || r['subtype'] === 'init')
}

function isGeminiOutput(r: Rec, type: string): boolean {
  if (type === '')
    return text(r, 'session_id') && holds(r, 'stats') && (holds(r, 'response') || holds(r, 'error'))
  if (type === 'init') return text(r, 'session_id') && text(r, 'model') && !holds(r, 'subtype')
  if (type === 'message') return text(r, 'role') && holds(r, 'content', 'timestamp')
  return (type === 'tool_use' && text(r, 'tool_id')) || (type === 'tool_result' && text(r, 'tool_id'))
}

function isTelemetry(r: Rec): boolean {
  if (holds(r, 'resourceLogs') || holds(r, 'resourceSpans')) return true
  if (r['_type'] === 'log' && object(r, 'attrs')) return true
  const attributes = (object(r, 'attributes') ? r['attributes'] : {}) as Rec
  return text(attributes, 'event.name') || text(attributes, 'session.id')
}

/** The small files have keys that others have as well: only their names distinguish them. */
function isAutoSkillit(r: Rec, fileName: string | null): boolean {
  if (
    holds(r, 'dir_name') &&
    (holds(r, 'skill_command') || holds(r, 'snapshot_count') || holds(r, 'claude_code_log'))
  )
    return true
  if (holds(r, 'skill_command', 'needs_retry', 'retry_reason')) return true
  const { file } = readLogPath(fileName)
  if (file === 'anomalies' || file === 'trace') return !text(r, 'type')
  return (
    (file === 'token_usage' && holds(r, 'input_tokens')) ||
    (file === 'step_timing' && holds(r, 'total_seconds'))
  )
}

function isReceipt(r: Rec): boolean {
  if (
    (Array.isArray(r['type']) && r['type'].includes('AgentReceipt')) ||
    (object(r, 'credentialSubject') && holds(r, '@context'))
  )
    return true
  return (
    Array.isArray(r['receipts']) &&
    r['receipts'].some((one) => object({ one }, 'one') && isReceipt(one as Rec))
  )
}

const noetlEvent = (r: Rec): boolean =>
  text(r, 'event_type') && (holds(r, 'event_id') || holds(r, 'node_name') || holds(r, 'execution_id'))

function isNoetl(r: Rec): boolean {
  if (noetlEvent(r) || holds(r, 'last_event_id', 'stages', 'frames')) return true
  if (r['layer'] === 'worker' && holds(r, 'execution_id')) return true
  if (
    holds(r, 'execution_id') &&
    ['events', 'catalog_id', 'current_step', 'workload', 'completed_steps', 'playbook_id'].some(
      (key) => key in r,
    )
  )
    return true
  return (
    Array.isArray(r['result']) && r['result'].some((one) => object({ one }, 'one') && noetlEvent(one as Rec))
  )
}
