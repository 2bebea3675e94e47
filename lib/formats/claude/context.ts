import { idText } from './text'
import { capText } from '../../text/cap-text'
import { newMemory, recall, remember, type Memory } from './memory'
import type { EventFacts } from '../../model/event-facts'
import type { LineInput, StreamHint } from '../../model/adapter'

/** What every Claude Code stream carries from record to record; plain JSON. */
export interface ClaudeContext {
  /** Session of the last record that named one. */
  session: string | null
  /** Sub-agent that the whole file belongs to, from its name. */
  agent: string | null
  /** Names of tools by call id: a result does not repeat the name. */
  tools: Memory
  /** Child executions that have named their parent. */
  linked: Memory
  /** Child execution by the call that started it. */
  children: Memory
  /** The surroundings of the last record, so that only changes become facts. */
  told: {
    key: string
    cwd: string | null
    branch: string | null
    version: string | null
    model: string | null
    forkedFrom?: string | null
  }
}

const TOOLS_MAX = 2_048
const LINKS_MAX = 512

const FILE_NAME = /(?:^|\/)([^/]+?)(?:\.(?:jsonl?|ndjson|log|txt))?(?:\.gz)?$/i
const AGENT_FILE = /^agent-(.+)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * What the path of a transcript says: `agent-<id>.jsonl` beside the sessions (2.0) or in `<session>/subagents/` (2.1),
 * `<session>.jsonl` for the rest. Other names say nothing.
 */
export function readFileName(fileName: string | null | undefined): {
  session: string | null
  agent: string | null
} {
  const stem = FILE_NAME.exec(fileName ?? '')?.[1]
  if (stem === undefined) return { session: null, agent: null }
  const agent = AGENT_FILE.exec(stem)?.[1] ?? null
  if (agent !== null) {
    const folder = /(?:^|\/)([^/]+)\/subagents\/[^/]+$/.exec(fileName!)?.[1]
    return { session: folder ?? null, agent }
  }
  return { session: UUID.test(stem) ? stem : null, agent: null }
}

/** The context of a stream of which nothing has been read; what records name themselves beats the file's name. */
export function startContext(hint: StreamHint): ClaudeContext {
  const named = readFileName(hint.fileName)
  const session = hint.sessionId || named.session
  return {
    session: session ? idText(session) : null,
    agent: named.agent === null ? null : idText(named.agent),
    tools: newMemory(),
    linked: newMemory(),
    children: newMemory(),
    told: { key: '', cwd: null, branch: null, version: null, model: null },
  }
}

/** The session a record belongs to: its own, else the one before it, else one made of the record: the same input gives the same key. */
export function sessionOf(
  context: ClaudeContext,
  own: string | null,
  line: LineInput,
): { session: string; missing: boolean } {
  if (own !== null && own !== '') context.session = idText(own)
  if (context.session !== null)
    return { session: context.session, missing: context.session.startsWith(NO_SESSION) }
  context.session = `${NO_SESSION}${line.digest.slice(0, 16)}`
  return { session: context.session, missing: true }
}

const NO_SESSION = 'no-session-'

export const rememberTool = (context: ClaudeContext, callId: string, tool: string): void =>
  remember(context.tools, callId, tool, TOOLS_MAX)
export const toolOf = (context: ClaudeContext, callId: string): string | null => recall(context.tools, callId)

/** Notes which child a call started, from whatever record says so first. False when that was known. */
export function noteChild(context: ClaudeContext, callId: string, childKey: string): boolean {
  if (recall(context.children, callId) === childKey) return false
  remember(context.children, callId, childKey, LINKS_MAX)
  return true
}

export const childOf = (context: ClaudeContext, callId: string): string | null =>
  recall(context.children, callId)

/** Links a child to its parent on the first of its records in this stream. */
export function tellParent(
  context: ClaudeContext,
  facts: EventFacts,
  key: string,
  parentKey: string,
  callId: string | null,
): void {
  const said = callId ?? ''
  if (key === parentKey || recall(context.linked, key) === said) return
  remember(context.linked, key, said, LINKS_MAX)
  facts.childOf = { parentKey, callId }
}

/** Writes folder, branch, version and model where they differ from the record before; on every line they would double the facts. */
export function tellSurroundings(
  context: ClaudeContext,
  facts: EventFacts,
  key: string,
  now: {
    cwd: string | null
    branch: string | null
    version: string | null
    model: string | null
    forkedFrom?: string | null
  },
): void {
  if (context.told.key !== key) context.told = { key, cwd: null, branch: null, version: null, model: null }
  for (const name of ['cwd', 'branch', 'version', 'model', 'forkedFrom'] as const) {
    const value = now[name]
    if (value === undefined || value === null || value === '' || context.told[name] === value) continue
    context.told[name] = value
    facts[name] = capText(value, 1_000)
  }
}
