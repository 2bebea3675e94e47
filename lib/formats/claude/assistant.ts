import { looseTargetOf, targetOf } from './target'
import { readContentBlocks } from './content-blocks'
import { rememberTool, type ClaudeContext } from './context'
import type { RecordContent } from './draft'
import { signalFact } from './signal-fact'
import { spanOf, wholeSpan } from './span'
import { clipStart, digestOfJson, idsOf, idText, targetText } from './text'
import { capText, cutText } from '../../text/cap-text'
import type { ClaudeRecord } from './upgrade'
import { anyAt, listAt, noteWrong, numberAt, objectAt, textAt, type JsonObject, type Notes } from './wire'
import type { CallFact, EventFacts } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

/** Model name of records that the program wrote itself. */
const SYNTHETIC = '<synthetic>'

/** Model of a message, unless the program wrote it. */
export const modelOf = (message: JsonObject | null, notes: Notes): string | null => {
  const model = message === null ? null : textAt(message, 'model', notes, '/message')
  return model === SYNTHETIC ? null : model
}

/**
 * Reads what the model said and called. One message can arrive as several records, each repeating the same usage:
 * calls and usage carry the message id, and whoever counts counts each id once.
 *
 * @see docs/sources/claude-code.md#claude-transcript
 */
export function readAssistant(record: ClaudeRecord, line: LineInput, context: ClaudeContext): RecordContent {
  const { message, notes } = record
  const facts: EventFacts = {}
  if (message === null) {
    noteWrong(notes, '/message', 'missing')
    return { kind: 'meta', summary: 'Message without content', facts }
  }
  const found = readBlocks(message, context, notes)
  const messageId = textAt(message, 'id', notes, '/message')
  const isSynthetic = anyAt(message, 'model') === SYNTHETIC
  const usage = isSynthetic ? null : objectAt(message, 'usage', notes, '/message')
  if (usage !== null) {
    const count = (key: string): number =>
      Math.max(0, Math.round(numberAt(usage, key, notes, '/message/usage') ?? 0))
    const model = modelOf(message, notes)
    facts.usage = {
      messageId: messageId === null ? (record.uuid ?? line.digest) : idText(messageId),
      inputTokens: count('input_tokens'),
      outputTokens: count('output_tokens'),
      cacheReadInputTokens: count('cache_read_input_tokens'),
      cacheCreationInputTokens: count('cache_creation_input_tokens'),
    }
    if (model !== null) facts.usage.model = capText(model, 200)
  }
  const retracts = idsOf(listAt(record.raw, 'supersedes', notes))
  if (retracts.length > 0) facts.retracts = retracts

  const errorClass = textAt(record.raw, 'error', notes)
  if (record.isApiError || (isSynthetic && errorClass !== null && errorClass !== '')) {
    const text = found.text?.text ?? errorClass ?? ''
    const status = numberAt(record.raw, 'apiErrorStatus', notes) ?? statusIn(text)
    facts.apiError = {
      class: errorClass === null ? null : capText(errorClass, 200),
      status,
      text: cutText(text, 2_000),
      span: found.text ? spanOf(line, found.text.path) : wholeSpan(line),
    }
    return {
      kind: 'api_error',
      summary: text === '' ? { id: 'model_request_failed', params: {} } : text,
      facts,
    }
  }

  for (const call of found.calls) {
    facts.calls ??= []
    facts.calls.push(callFact(call, messageId, line))
  }
  if (found.text !== null) facts.said = saidFact(found.text.text, line, found.text.path)
  if (facts.calls) {
    const summary = facts.calls
      .map((call) => (call.target === null ? call.tool : `${call.tool}: ${cutText(call.target, 200)}`))
      .join('; ')
    return { kind: 'call', summary, facts }
  }
  if (found.text !== null) return { kind: 'text', summary: found.text.text, facts }
  if (found.thinking !== null)
    return { kind: 'thinking', summary: found.thinking || 'Thinking (not recorded)', facts }
  return { kind: 'meta', summary: found.other.length === 0 ? 'Empty message' : found.other.join(', '), facts }
}

/** The facts of a call; its place is the whole record, which is near enough for what did not fail. */
export function callFact(
  call: { callId: string; tool: string; input: unknown },
  messageId: string | null,
  line: LineInput,
): CallFact {
  const target = targetOf(call.input)
  const loose = looseTargetOf(call.tool, call.input)
  const fact: CallFact = {
    callId: idText(call.callId),
    tool: call.tool,
    target: target === null ? null : targetText(target),
    inputDigest: digestOfJson(call.input ?? null),
    span: wholeSpan(line),
  }
  if (loose !== undefined) fact.looseTarget = capText(loose, 200)
  if (messageId !== null) fact.messageId = idText(messageId)
  return fact
}

/** The fact of a text that the agent said; the failure signal is looked for in the whole text. */
export function saidFact(
  text: string,
  line: LineInput,
  path: readonly (string | number)[],
): NonNullable<EventFacts['said']> {
  const signal = signalFact(text, line, path)
  return signal === null
    ? { tail: clipStart(text, 300), span: wholeSpan(line) }
    : { tail: clipStart(text, 300), signal, span: spanOf(line, path) }
}

interface Blocks {
  /** The last text that is not blank. */
  text: { text: string; path: (string | number)[] } | null
  thinking: string | null
  calls: { callId: string; tool: string; input: unknown }[]
  other: string[]
}

function readBlocks(message: JsonObject, context: ClaudeContext, notes: Notes): Blocks {
  const found: Blocks = { text: null, thinking: null, calls: [], other: [] }
  const content = readContentBlocks(message, notes)
  if (typeof content === 'string') {
    if (content.trim() !== '') found.text = { text: content, path: ['message', 'content'] }
    return found
  }
  const callIds = new Set<string>()
  for (const { index, path, block, type } of content) {
    if (type === 'text') {
      const text = textAt(block, 'text', notes, path)
      if (text !== null && text.trim() !== '')
        found.text = { text, path: ['message', 'content', index, 'text'] }
    } else if (type === 'thinking' || type === 'redacted_thinking') {
      found.thinking = textAt(block, 'thinking', notes, path) ?? ''
    } else if (type === 'tool_use') {
      const callId = textAt(block, 'id', notes, path)
      if (callId === null || callId === '') {
        noteWrong(notes, `${path}/id`, 'missing')
        continue
      }
      const tool = capText(textAt(block, 'name', notes, path) ?? 'unknown', 200)
      const call = { callId: idText(callId), tool, input: anyAt(block, 'input') }
      if (callIds.has(call.callId)) continue
      callIds.add(call.callId)
      rememberTool(context, call.callId, call.tool)
      found.calls.push(call)
    } else {
      found.other.push(capText(type ?? 'block without a type', 60))
    }
  }
  return found
}

/** HTTP status in the text of an API error: "API Error: 529 {…}". */
const statusIn = (text: string): number | null => {
  const match = /^API Error: (?:\w+ )*?\(?(\d{3})\b/.exec(text)
  return match ? Number(match[1]) : null
}
