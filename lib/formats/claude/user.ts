import { exitCodeOf, failureSigns, isFreeOutput, unwrapFailure } from './failure-signs'
import { limits } from '../../limits'
import { decisiveLine } from '../../text/decisive-line'
import { readContentBlocks } from './content-blocks'
import { childOf, noteChild, toolOf, type ClaudeContext } from './context'
import type { RecordContent } from './draft'
import { promptOf } from './prompt'
import { passageSpan, spanOf, wholeSpan, type Path } from './span'
import { clipMiddle, idText } from './text'
import { capText, cutText } from '../../text/cap-text'
import type { ClaudeRecord } from './upgrade'
import { anyAt, asObject, flagAt, noteWrong, numberAt, textAt, type JsonObject, type Notes } from './wire'
import type { EventFacts, ResultFact } from '../../model/event-facts'
import type { LineInput } from '../../model/adapter'

const INTERRUPTIONS = new Set(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])

/**
 * Reads a user record: results of tools, the notice of an interruption, or what was asked.
 *
 * @param session session part of the record's key: children hang below it
 * @see docs/sources/claude-code.md#claude-transcript
 */
export function readUser(
  record: ClaudeRecord,
  line: LineInput,
  context: ClaudeContext,
  session: string,
): RecordContent {
  const facts: EventFacts = {}
  const { texts, results } = readContent(record, line, context, session, facts)
  if (results.length > 0) facts.results = results
  const notice = texts.find((text) => INTERRUPTIONS.has(text.text.trim()))
  if (notice) facts.interruption = { span: spanOf(line, notice.path) }

  if (results.length > 0) return { kind: 'result', summary: summaryOf(results[0]!, record, context), facts }
  if (notice) return { kind: 'interruption', summary: notice.text, facts }
  const first = texts.map((text) => text.text).find((text) => text.trim() !== '')
  if (record.isCompactSummary)
    return { kind: 'compaction', summary: first ?? { id: 'context_summary', params: {} }, facts }
  const prompt = record.isMeta || first === undefined ? null : promptOf(first)
  if (prompt === null) return { kind: 'meta', summary: first ?? 'Message without text', facts }
  facts.prompt = capText(prompt, 300)
  return { kind: 'prompt', summary: prompt, facts }
}

interface Texts {
  texts: { text: string; path: Path }[]
  results: ResultFact[]
}

function readContent(
  record: ClaudeRecord,
  line: LineInput,
  context: ClaudeContext,
  session: string,
  facts: EventFacts,
): Texts {
  const found: Texts = { texts: [], results: [] }
  const { notes } = record
  const content = readContentBlocks(record.message, notes)
  if (typeof content === 'string') {
    found.texts.push({ text: content, path: ['message', 'content'] })
    return found
  }
  for (const { index, path, block, type } of content) {
    if (type === 'text') {
      const text = textAt(block, 'text', notes, path)
      if (text !== null) found.texts.push({ text, path: ['message', 'content', index, 'text'] })
    } else if (type === 'tool_result') {
      const result = readResult(block, index, record, line, context)
      if (result === null) continue
      // The side copy belongs to the one result of its record; results seen always are alone.
      if (content.length === 1) noteSideCopy(result, record.toolUseResult, context, session)
      const childKey = childOf(context, result.callId)
      if (childKey !== null) (facts.children ??= []).push({ callId: result.callId, childKey })
      found.results.push(result)
    }
  }
  return found
}

function readResult(
  block: JsonObject,
  index: number,
  record: ClaudeRecord,
  line: LineInput,
  context: ClaudeContext,
): ResultFact | null {
  const { notes } = record
  const path = `/message/content/${index}`
  const callId = textAt(block, 'tool_use_id', notes, path)
  if (callId === null || callId === '') {
    noteWrong(notes, `${path}/tool_use_id`, 'missing')
    return null
  }
  // Absent means success: about three results in four carry no flag.
  const failed = flagAt(block, 'is_error', notes, path) === true
  if (!failed) return { callId: idText(callId), failed, span: wholeSpan(line) }
  const at: Path = ['message', 'content', index, 'content']
  let { text, path: where } = failureText(block, at)
  if (text.trim() === '' && typeof record.toolUseResult === 'string') {
    const key = anyAt(record.raw, 'toolUseResult') === undefined ? 'tool_use_result' : 'toolUseResult'
    text = record.toolUseResult
    where = [key]
  }
  return failedResult(callId, text, toolOf(context, idText(callId)), line, where)
}

/**
 * The facts of a failed call that come from its text.
 *
 * @param path   where the text is in the record; the pointers of the failure and of its decisive line are taken from it
 * @param source the text as it is there, when `text` was made of it; `''` when nothing of it is there
 */
export function failedResult(
  callId: string,
  text: string,
  tool: string | null,
  line: LineInput,
  path: Path,
  source = text,
): ResultFact {
  const bare = unwrapFailure(text)
  const exitCode = exitCodeOf(text)
  const decisive = decisiveLine(source)
  const signs = failureSigns(text)
  return {
    callId: idText(callId),
    failed: true,
    ...(signs.length === 0 ? {} : { signs }),
    ...(signs.length > 0 && isFreeOutput(tool) ? { freeOutput: true as const } : {}),
    text: clipMiddle(bare, limits.errorTextCharsMax),
    ...(bare.length > limits.errorTextCharsMax ? { textCut: true } : {}),
    ...(decisive === null
      ? {}
      : { decisive: { text: capText(decisive.text, 500), span: passageSpan(line, path, decisive) } }),
    ...(exitCode === undefined ? {} : { exitCode }),
    span: spanOf(line, path),
  }
}

/** The text of a result and where it is: its content when that is a text, else its text blocks one below the other. */
function failureText(block: JsonObject, at: Path): { text: string; path: Path } {
  const content = anyAt(block, 'content')
  if (typeof content === 'string') return { text: content, path: at }
  if (!Array.isArray(content))
    return { text: content === undefined || content === null ? '' : JSON.stringify(content), path: at }
  const parts = content.map((value) => {
    const part = asObject(value)
    const text = part === null ? value : anyAt(part, 'text')
    return typeof text === 'string'
      ? text
      : `[${(part && textAt(part, 'type', { wrong: [] })) ?? 'unreadable block'}]`
  })
  const isOneText =
    content.length === 1 && asObject(content[0]) !== null && typeof asObject(content[0])!['text'] === 'string'
  return { text: parts.join('\n'), path: isOneText ? [...at, 0, 'text'] : at }
}

/** Adds what only the side copy of a tool's answer knows: how long it took and which sub-agent it was. */
function noteSideCopy(result: ResultFact, copy: unknown, context: ClaudeContext, session: string): void {
  const side = asObject(copy)
  if (side === null) return
  const quiet: Notes = { wrong: [] }
  const durationMs = numberAt(side, 'totalDurationMs', quiet) ?? numberAt(side, 'durationMs', quiet)
  if (durationMs !== null && durationMs >= 0) result.durationMs = Math.round(durationMs)
  const agentId = textAt(side, 'agentId', quiet)
  if (agentId === null || agentId === '') return
  const childKey = `${session}/agent-${idText(agentId)}`
  // A stream without agent ids has already named the child after the call; that name stands.
  const known = childOf(context, result.callId)
  if (known !== null && known !== childKey) return
  result.childAgentId = idText(agentId)
  noteChild(context, result.callId, childKey)
}

function summaryOf(result: ResultFact, record: ClaudeRecord, context: ClaudeContext): string {
  const tool = toolOf(context, result.callId) ?? 'Tool'
  if (result.failed) return `${tool} failed: ${result.text ?? ''}`
  const block = asObject(
    (anyAt(record.message!, 'content') as unknown[]).find(
      (value) => asObject(value)?.['type'] === 'tool_result',
    ),
  )
  const { text } = block === null ? { text: '' } : failureText(block, [])
  return `${tool}: ${text.trim() === '' ? 'done' : cutText(text, 800)}`
}
