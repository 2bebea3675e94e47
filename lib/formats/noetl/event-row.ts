import { isObject, member, parseExactJson, type ExactJson } from '../../text/exact-json'
import { integerDigits } from '../../text/exact-number'
import { classifyValue } from './classify-value'
import type { RowLabel, AgentOutcome, DiagnosisState } from '../../model/workflow-facts'

/** Types of rows that say that a step has come to an end without an error of its tool. */
export const COMPLETING_TYPES = ['call.done', 'step.exit', 'command.completed'] as const

export interface EventRowReading {
  label: RowLabel
  /** Of the envelope in the row; null when there is none. */
  agentOutcome: AgentOutcome | null
  diagnosis: DiagnosisState
  /** The row's own column says an error. For a failure of an agent it does not. */
  errorColumnPresent: boolean
}

/**
 * What a row of the event log says of its step. The status column is not asked: it follows from the name of the type alone, so a run whose
 * agent failed can read COMPLETED in every row.
 *
 * @see docs/parity.md#rows
 */
export function readEventRow(row: unknown): EventRowReading {
  const type = eventTypeOf(row)
  const result = rowResult(row)
  const read = classifyValue(member(result, 'context'))
  const agent = read.shape === 'agent_envelope' ? read : null
  const error = member(row, 'error')
  return {
    label: labelOf(type, isWord(member(result, 'status'), 'failed'), agent?.outcome ?? null),
    agentOutcome: agent?.outcome ?? null,
    diagnosis: read.diagnosis,
    errorColumnPresent: error !== undefined && error !== null && error !== '',
  }
}

function labelOf(type: string, isFailed: boolean, agent: AgentOutcome | null): RowLabel {
  if (type === 'call.error' || type === 'command.failed' || (type === 'step.exit' && isFailed))
    return 'tool_error'
  if (agent === 'error') return 'agent_failure'
  if (agent === 'in_flight') return 'unresolved'
  return isCompletingType(type) ? 'completed' : 'progress'
}

export const isCompletingType = (type: string): boolean =>
  (COMPLETING_TYPES as readonly string[]).includes(type)

/** The type of a row in its usual spelling: some servers write it with an underscore. Empty when it says none. */
export function eventTypeOf(row: unknown): string {
  const type = member(row, 'event_type')
  return typeof type === 'string' ? type.trim().toLowerCase().replaceAll('_', '.') : ''
}

/** The result of a row, read where it is kept as text. */
export function rowResult(row: unknown): ExactJson | undefined {
  const result = member(row, 'result')
  if (typeof result !== 'string') return result
  const read = parseExactJson(result)
  return read.ok ? read.value : result
}

/** Whether a status says a word, in whatever case. */
export const isWord = (status: unknown, word: string): boolean =>
  typeof status === 'string' && status.trim().toLowerCase() === word

/** Far more than any id has. */
const ID_DIGITS_MAX = 64

/** The id of a row within its run, to order rows by; null when it has none that can be read. */
export function eventIdOf(row: unknown): bigint | null {
  const digits = integerDigits(member(row, 'event_id'))
  return digits === null || digits.length > ID_DIGITS_MAX ? null : BigInt(digits)
}

export const rowsOf = (document: unknown): ExactJson[] => {
  const events = member(document, 'events')
  return Array.isArray(events) ? events.filter(isObject) : []
}
