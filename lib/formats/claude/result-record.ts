import { signalFact } from './signal-fact'
import { spanOf, wholeSpan, type Path } from './span'
import { asText, idText } from './text'
import { capText, cutText } from '../../text/cap-text'
import {
  asObject,
  flagAt,
  foldNames,
  listAt,
  noteWrong,
  numberAt,
  objectAt,
  textAt,
  type JsonObject,
  type Notes,
} from './wire'
import type { LineInput } from '../../model/adapter'
import type { RunResultFact } from '../../model/run-facts'

/**
 * Reads the result record of a run. Property names match without regard to letter case, except `type`; of two spellings the last counts.
 * A wrong type in a field that a verdict or a report reads makes the record unreadable: it says that the run ended, not how.
 * The failure signal is looked for in the whole `result`, before that is cut.
 *
 * @see docs/sources/claude-code.md#result-record
 */
export function readResultRecord(raw: JsonObject, line: LineInput, notes: Notes): RunResultFact {
  const { record, spelled } = foldNames(raw)
  const strict: Notes = { wrong: [] }
  const text = (key: string, to: Notes = strict): string | null => textAt(record, key, to)
  const number = (key: string, to: Notes = strict): number | null => numberAt(record, key, to)

  const result = text('result')
  const errors = (listAt(record, 'errors', notes) ?? [])
    .slice(0, 50)
    .map((error) => cutText(asText(error), 2_000))
  const fact: RunResultFact = {
    subtype: clipped(text('subtype'), 200),
    isError: flagAt(record, 'is_error', strict),
    result: clipped(result, 4_000),
    errors,
    stopReason: clipped(text('stop_reason'), 200),
    terminalReason: clipped(text('terminal_reason', notes), 200),
    apiErrorStatus: number('api_error_status', notes),
    startupFailureReason: clipped(text('startup_failure_reason', notes), 1_000),
    permissionDenials: readDenials(record, strict),
    numTurns: number('num_turns'),
    durationMs: number('duration_ms'),
    costUsd: number('total_cost_usd') ?? number('cost_usd'),
    span: wholeSpan(line),
  }
  objectAt(record, 'usage', strict)
  objectAt(record, 'modelusage', strict)
  if (strict.wrong.length > 0) {
    for (const { path, problem } of strict.wrong) noteWrong(notes, path, problem)
    return { ...fact, unreadable: true }
  }
  const signal = result === null ? null : signalFact(result, line, [spelled.get('result')!])
  if (signal !== null) fact.signal = signal
  const path = decidingPath(fact, spelled)
  return path === null ? fact : { ...fact, span: spanOf(line, path) }
}

const clipped = (text: string | null, max: number): string | null =>
  text === null ? null : capText(text, max)

function readDenials(record: JsonObject, strict: Notes): RunResultFact['permissionDenials'] {
  const denials: RunResultFact['permissionDenials'] = []
  for (const [index, value] of (listAt(record, 'permission_denials', strict) ?? []).entries()) {
    const path = `/permission_denials/${index}`
    const entry = asObject(value)
    // A null entry stands for one refused tool without a name.
    if (entry === null && value !== null) noteWrong(strict, path, 'not_object')
    const folded = entry === null ? {} : foldNames(entry).record
    const callId = textAt(folded, 'tool_use_id', strict, path)
    const tool = clipped(textAt(folded, 'tool_name', strict, path), 200)
    if (denials.length < 200) denials.push({ tool, callId: callId === null ? null : idText(callId) })
  }
  return denials
}

/** The field that a reader should see first: the text that decided, or named the cause. */
function decidingPath(fact: RunResultFact, spelled: Map<string, string>): Path | null {
  const at = (name: string): Path | null => (spelled.has(name) ? [spelled.get(name)!] : null)
  if (fact.signal) return at('result')
  if (fact.isError === true || (fact.subtype ?? '').toLowerCase() !== 'success') {
    if (fact.errors.length > 0) return [spelled.get('errors')!, 0]
    return (fact.result ? at('result') : null) ?? at('subtype')
  }
  return fact.permissionDenials.length > 0 ? at('permission_denials') : null
}
