import type { OddDetail } from '../../model/messages/odd-details'
import { sessionOf, startContext, tellParent, tellSurroundings, type ClaudeContext } from './context'
import { finish, notAnObject } from './draft'
import { idText, timeOf } from './text'
import { capText } from '../../text/cap-text'
import { asObject, foldNames, numberAt, textAt, type JsonObject, type Notes } from './wire'
import { whyLost } from '../receipt/lost-frame'
import { readFrame } from './read-frame'
import type { Adapter } from '../../model/adapter'

/**
 * Frames that Claude Code hands to a hook command, one JSON object each. They carry no time and no id of their own.
 * Frames of a sub-agent name it by `agent_id`. A hook is fed by whoever calls it: what does not name both its session and its event is no
 * frame, and makes no execution.
 *
 * @see docs/sources/claude-code.md#claude-hook
 */
export const claudeHook: Adapter<ClaudeContext> = {
  channel: 'hook',

  peek(value) {
    const raw = asObject(value)
    if (raw === null) return { sessionId: null, agentId: null }
    const { record } = foldNames(raw)
    const text = (key: string): string | null => textAt(record, key, { wrong: [] }) || null
    return { sessionId: text('session_id'), agentId: text('agent_id') }
  },

  // A spool holds frames of any session, whatever the file is called.
  start: (hint) => startContext({ sessionId: hint.sessionId ?? null }),

  read(line, context) {
    const raw = asObject(line.value)
    if (raw === null) return notAnObject(line, sessionOf(context, null, line).session, true)
    const notes: Notes = { wrong: [] }
    const { record, spelled } = foldNames(raw)
    const { session, missing } = sessionOf(context, textAt(record, 'session_id', notes), line)
    const agentId = textAt(record, 'agent_id', notes)
    const key = agentId ? `${session}/agent-${idText(agentId)}` : session
    const content = readFrame({ record, spelled, line, context, notes })
    tellParent(context, content.facts, key, session, null)
    const [cwd, model] = [textAt(record, 'cwd', notes), textAt(record, 'model', notes)]
    tellSurroundings(context, content.facts, key, { cwd, branch: null, version: null, model })
    const type = textAt(record, 'hook_event_name', notes) ?? ''
    const at = timeOf(textAt(record, 'timestamp', notes))
    const homeless = missing || type === ''
    const dropped = asObject(record.inquest_spool_dropped)
    if (homeless && dropped !== null)
      content.odd = { reason: 'spool_dropped', detail: droppedDetail(dropped) }
    const lost = content.odd === undefined && notes.wrong.length === 0 && !missing ? whyLost(line.text) : null
    if (lost !== null)
      content.odd = { reason: 'no_receipt', detail: { id: 'receipt_lost', params: { loss: lost } } }
    return finish(
      line,
      { executionKey: key, type, at, uuid: null, parentUuid: null, homeless },
      content,
      notes,
      missing,
    )
  },
}

/** What a sender says of what it had no room for; see `cli/dropped.ts`. */
function droppedDetail(dropped: JsonObject): OddDetail {
  const notes: Notes = { wrong: [] }
  const number = (name: string): number => numberAt(dropped, name, notes) ?? 0
  const time = (name: string): string | null => {
    const text = textAt(dropped, name, notes)
    return text === null ? null : capText(text, 100)
  }
  return {
    id: 'records_dropped',
    params: {
      frames: number('frames'),
      records: number('records'),
      bytes: number('bytes'),
      since: time('since'),
      until: time('until'),
    },
  }
}
