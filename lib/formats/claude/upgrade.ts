import { anyAt, flagAt, objectAt, textAt, type JsonObject, type Notes } from './wire'
import { idText, timeOf } from './text'

/**
 * Today's shape of a record of Claude Code, whichever channel and version it came from. Print mode spells names with underscores,
 * files on disk in camel case; 2025 files lack what newer ones hold. The rest of the record stays as it was received.
 */
export interface ClaudeRecord {
  raw: JsonObject
  type: string | null
  subtype: string | null
  uuid: string | null
  parentUuid: string | null
  sessionId: string | null
  agentId: string | null
  parentToolUseId: string | null
  isSidechain: boolean | null
  at: string | null
  cwd: string | null
  branch: string | null
  version: string | null
  message: JsonObject | null
  /** Side copy of a tool's answer: object, text or list. */
  toolUseResult: unknown
  isApiError: boolean
  /** Written by the program, not by a person: asks nothing. */
  isMeta: boolean
  isCompactSummary: boolean
  notes: Notes
}

const either = (raw: JsonObject, a: string, b: string, notes: Notes): string | null =>
  textAt(raw, a, notes) ?? textAt(raw, b, notes)

const id = (text: string | null): string | null => (text === null || text === '' ? null : idText(text))

/** Reads the envelope of a record; never fails, and notes what had the wrong type. */
export function upgradeRecord(raw: JsonObject): ClaudeRecord {
  const notes: Notes = { wrong: [] }
  const flag = (key: string): boolean => flagAt(raw, key, notes) === true
  const type = textAt(raw, 'type', notes)
  return {
    raw,
    type,
    subtype: textAt(raw, 'subtype', notes),
    uuid: id(textAt(raw, 'uuid', notes)),
    parentUuid: id(textAt(raw, 'parentUuid', notes)),
    sessionId: id(either(raw, 'sessionId', 'session_id', notes)),
    agentId: id(either(raw, 'agentId', 'agent_id', notes)),
    parentToolUseId: id(textAt(raw, 'parent_tool_use_id', notes)),
    isSidechain: flagAt(raw, 'isSidechain', notes),
    at: timeOf(textAt(raw, 'timestamp', notes)),
    cwd: textAt(raw, 'cwd', notes),
    branch: textAt(raw, 'gitBranch', notes),
    version: either(raw, 'version', 'claude_code_version', notes),
    message: type === 'assistant' || type === 'user' ? objectAt(raw, 'message', notes) : null,
    toolUseResult: anyAt(raw, 'toolUseResult') ?? anyAt(raw, 'tool_use_result'),
    isApiError: flag('isApiErrorMessage') || flag('is_api_error_message'),
    isMeta: flag('isMeta') || flag('isSynthetic') || flag('isVisibleInTranscriptOnly'),
    isCompactSummary: flag('isCompactSummary'),
    notes,
  }
}
