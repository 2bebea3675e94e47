import { modelOf, readAssistant } from './assistant'
import {
  childOf,
  noteChild,
  sessionOf,
  startContext,
  tellParent,
  tellSurroundings,
  type ClaudeContext,
} from './context'
import { finish, notAnObject, type RecordContent } from './draft'
import { readResultRecord } from './result-record'
import { upgradeRecord, type ClaudeRecord } from './upgrade'
import { readUser } from './user'
import { asObject, textAt } from './wire'
import { readOther } from './stream-records'
import { readSystem } from './system-records'
import type { Adapter, LineInput } from '../../model/adapter'

/**
 * Output of print mode, `json` and `stream-json`: one record a line, or the records of one array.
 * Records of sub-agents carry the call that started them; an agent id, when there is one, names the execution.
 *
 * @see docs/sources/claude-code.md#claude-stream
 */
export const claudeStream: Adapter<ClaudeContext> = {
  channel: 'stream',

  peek(value) {
    const record = asObject(value)
    if (record === null) return { sessionId: null, agentId: null }
    const text = (key: string): string | null => textAt(record, key, { wrong: [] }) || null
    return { sessionId: text('session_id') ?? text('sessionId'), agentId: text('agent_id') }
  },

  // A file of output contains a whole run, whatever it is called.
  start: (hint) => startContext({ sessionId: hint.sessionId ?? null }),

  read(line, context) {
    const raw = asObject(line.value)
    if (raw === null) return notAnObject(line, sessionOf(context, null, line).session)
    const record = upgradeRecord(raw)
    const { session, missing } = sessionOf(context, record.sessionId, line)
    const key = keyOf(record, context, session)
    const content = readRecord(record, line, context, session)
    tellParent(context, content.facts, key, session, record.parentToolUseId)
    tellSurroundings(context, content.facts, key, {
      cwd: record.cwd,
      branch: record.branch,
      version: record.version,
      model: modelIn(record),
    })
    const type = record.subtype ? `${record.type ?? ''}/${record.subtype}` : (record.type ?? '')
    const envelope = {
      executionKey: key,
      type,
      at: record.at,
      uuid: record.uuid,
      parentUuid: record.parentUuid,
    }
    return finish(line, envelope, content, record.notes, missing)
  },
}

/** Messages name their model, and so does the start of the run. */
function modelIn(record: ClaudeRecord): string | null {
  if (record.type === 'assistant') return modelOf(record.message, { wrong: [] })
  return record.subtype === 'init' ? textAt(record.raw, 'model', { wrong: [] }) : null
}

/** The first record of a sub-agent names it for good: later records may lack the agent id. */
function keyOf(record: ClaudeRecord, context: ClaudeContext, session: string): string {
  const { parentToolUseId, agentId } = record
  const named = agentId === null ? null : `${session}/agent-${agentId}`
  if (parentToolUseId === null) return named ?? session
  const known = childOf(context, parentToolUseId)
  if (known !== null) return known
  const key = named ?? `${session}/call-${parentToolUseId}`
  noteChild(context, parentToolUseId, key)
  return key
}

function readRecord(
  record: ClaudeRecord,
  line: LineInput,
  context: ClaudeContext,
  session: string,
): RecordContent {
  switch (record.type) {
    case 'assistant':
      return readAssistant(record, line, context)
    case 'user':
      return readUser(record, line, context, session)
    case 'system':
      return readSystem(record, line, context)
    case 'result': {
      const runResult = readResultRecord(record.raw, line, record.notes)
      const said = runResult.result ?? runResult.errors[0] ?? ''
      const head = runResult.unreadable
        ? 'Unreadable result record'
        : `Result ${runResult.subtype ?? '<none>'}`
      return { kind: 'run_result', summary: `${head}: ${said}`, facts: { runResult } }
    }
    default:
      return readOther(record, line)
  }
}
