import { classifyValue } from './classify-value'
import { runIdOf } from './dispatch-handle'
import { eventIdOf, eventTypeOf, readEventRow, rowResult } from './event-row'
import { isResultReference } from './stubs'
import { isObject, member, memberAt, type ExactJson, type ExactObject } from '../../text/exact-json'
import { doubleOf, integerDigits, isNumber } from '../../text/exact-number'
import { limits } from '../../limits'
import type { RecordContent } from '../claude/draft'
import { spanOf, type Path } from '../claude/span'
import { idText, timeOf } from '../claude/text'
import { capText } from '../../text/cap-text'
import type { EventSummaries, EventSummary } from '../../model/messages/event-summaries'
import type { EventKind } from '../../model/normal-form'
import type { CountedAttempt, RowFact } from '../../model/workflow-facts'
import type { LineInput } from '../../model/adapter'

/** What a row of the event log says of its run and of its step. Values are read, never repaired. */
export function readRow(row: ExactObject, line: LineInput): RecordContent {
  const type = capText(eventTypeOf(row), 120)
  const { label } = readEventRow(row)
  const id = eventIdOf(row)
  const node = textOf(member(row, 'node_name') ?? member(row, 'step'), 300)
  const status = textOf(member(row, 'status'), 100)
  const tool = textOf(memberAt(row, 'context', 'tool_kind') ?? memberAt(row, 'context', 'tool', 'kind'), 100)
  const about = aboutOf(memberAt(row, 'context', 'workload'))
  const agent = agentOf(row, line)
  const fact: RowFact = {
    eventId: id === null ? null : idText(String(id)),
    type,
    node,
    status,
    label,
    ...agent,
    ...errorOf(row, line, agent.agent !== undefined),
    ...referenceOf(row),
    ...ofTables(row, type),
    ...(tool === null ? {} : { tool }),
    ...(about === null ? {} : { about }),
  }
  const content: RecordContent = { kind: kindOf(fact), summary: summaryOf(fact), facts: { row: fact } }
  if (type === 'playbook.initialized' && node !== null) content.facts.asked = node
  return content
}

type Read<K extends keyof RowFact> = Partial<Pick<RowFact, K>>

/** The envelope of an agent in the context of the result, and the diagnosis in it. */
function agentOf(row: ExactObject, line: LineInput): Read<'agent' | 'diagnosis'> {
  const result = rowResult(row)
  const envelope = member(result, 'context')
  const read = classifyValue(envelope)
  if (read.shape !== 'agent_envelope') return {}
  // Inside of a text there is no place of its own.
  const at = (...path: Path) =>
    spanOf(line, typeof member(row, 'result') === 'string' ? ['result'] : ['result', 'context', ...path])
  const message = textOf(memberAt(envelope, 'error', 'message'), limits.errorTextCharsMax)
  return {
    agent: {
      outcome: read.outcome,
      executionId: read.executionId === null ? null : idText(read.executionId.trim()),
      errorKind: textOf(read.errorKind, 100),
      errorCode: textOf(read.errorCode, 200),
      message,
      span: message === null ? at() : at('error', 'message'),
    },
    ...(read.diagnosis === 'absent'
      ? {}
      : { diagnosis: { state: read.diagnosis, span: at('error', 'diagnosis') } }),
  }
}

/** @param isAgent the context is an envelope: its error is that of the agent, not of the row */
function errorOf(row: ExactObject, line: LineInput, isAgent: boolean): Read<'error'> {
  const places: Path[] = [
    ['error'],
    ...(isAgent
      ? []
      : [
          ['result', 'context', 'error', 'message'],
          ['result', 'context', 'error'],
        ]),
  ]
  for (const path of places) {
    const text = textOf(memberAt(row, ...(path as string[])), limits.errorTextCharsMax)
    if (text !== null) return { error: { text, span: spanOf(line, path) } }
  }
  return {}
}

/** Where the result is kept, when it is not here. Nothing goes there to look. */
function referenceOf(row: ExactObject): Read<'reference'> {
  const result = rowResult(row)
  const context = member(result, 'context')
  const reference =
    referenceText(member(result, 'reference')) ?? (isResultReference(context) ? referenceText(context) : null)
  return reference === null ? {} : { reference }
}

const referenceText = (value: ExactJson | undefined): string | null =>
  textOf(member(value, 'ref') ?? member(value, 'locator') ?? memberAt(value, '_ref', 'ref'), 500)

/** What the API leaves out of a row: only the tables have it. */
function ofTables(row: ExactObject, type: string): Read<'commandId' | 'attempt' | 'nodeType' | 'workerId'> {
  const commandId = integerDigits(member(row, 'command_id') ?? memberAt(row, 'meta', 'command_id'))
  const attempt = type === 'command.issued' ? countedAttempt(member(row, 'meta')) : null
  const nodeType = textOf(member(row, 'node_type'), 100)
  const workerId = textOf(member(row, 'worker_id'), 200)
  return {
    ...(commandId === null ? {} : { commandId: idText(commandId) }),
    ...(attempt === null ? {} : { attempt }),
    ...(nodeType === null ? {} : { nodeType }),
    ...(workerId === null ? {} : { workerId }),
  }
}

/** The number of an attempt and how many there may be, as the engine counts them, from 1; null where it says none. */
export function countedAttempt(value: ExactJson | undefined): CountedAttempt | null {
  const count = (key: string): number | null => {
    const counter = member(value, key)
    const number = isNumber(counter) ? doubleOf(counter) : NaN
    return Number.isSafeInteger(number) && number >= 1 ? number : null
  }
  const number = count('attempt')
  return number === null ? null : { number, max: count('max_attempts') }
}

/** The run that the input of a run names, as that of a diagnosis run does. */
export function aboutOf(workload: ExactJson | undefined): string | null {
  const id = isObject(workload) ? runIdOf(workload) : null
  return id === null ? null : idText(id.trim())
}

/** A text that says something, cut; null for what is none. */
export const textOf = (value: unknown, max: number): string | null =>
  typeof value === 'string' && value.trim() !== '' ? capText(value, max) : null

/** Times without a zone are UTC. */
export function timeOfRow(row: ExactObject): string | null {
  const text = textOf(member(row, 'created_at') ?? member(row, 'timestamp'), 64)
  return timeOf(
    text !== null && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text,
  )
}

const ENDS_RUN = /^(?:(?:playbook|workflow)\.(?:completed|failed|cancelled)|execution\.cancelled)$/

function kindOf({ type, label }: RowFact): EventKind {
  if (ENDS_RUN.test(type)) return 'run_result'
  if (/^(?:playbook|workflow)\.(?:initialized|started)$/.test(type)) return 'run_start'
  if (type === 'command.issued') return 'call'
  return label === 'progress' ? 'progress' : 'result'
}

function summaryOf(fact: RowFact): EventSummary {
  const { type, node, tool, attempt } = fact
  const name = [type || 'row', node, tool === undefined ? null : `(${tool})`]
    .filter((part) => part !== null)
    .join(' ')
  return { id: 'row', params: { name, attempt: attempt ?? null, event: eventOf(fact) } }
}

function eventOf({ status, label, agent, error, reference }: RowFact): EventSummaries['row']['event'] {
  if (agent?.outcome === 'error') return { id: 'agent_failed', code: agent.errorCode, message: agent.message }
  if (label === 'unresolved') return { id: 'agent_started' }
  const isTool = label === 'tool_error'
  return isTool || error
    ? { id: 'failed', isTool, text: error?.text ?? null }
    : { id: 'other', status, storedAt: reference ?? null }
}
