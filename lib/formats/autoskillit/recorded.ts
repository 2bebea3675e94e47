import { spanOf, wholeSpan } from '../claude/span'
import { timeOf } from '../claude/text'
import { capText, cutText } from '../../text/cap-text'
import { flagAt, listAt, numberAt, textAt, type JsonObject, type Notes } from '../claude/wire'
import type { LineInput } from '../../model/adapter'
import type { RecordedDecisionFact, RecordedSource } from '../../model/run-facts'

const TEXT_MAX = 200
const COMMAND_MAX = 2_000
const WARNINGS_MAX = 100

/** Sets what is there: an empty text says as little as none. */
type Facts = Partial<Omit<RecordedDecisionFact, 'source' | 'span'>>

/**
 * What a record of the index, a summary or one of the small files says of its run.
 *
 * @param dir folder of the run, when the path of the file shows it
 * @see docs/sources/autoskillit.md
 */
export function readRecorded(
  source: RecordedSource,
  record: JsonObject,
  line: LineInput,
  notes: Notes,
  dir: string | null,
): RecordedDecisionFact {
  const text = (key: string, max = TEXT_MAX): string | undefined => {
    const value = textAt(record, key, notes)
    return value === null || value === '' ? undefined : capText(value, max)
  }
  const number = (key: string): number | undefined => numberAt(record, key, notes) ?? undefined
  const flag = (key: string): boolean | undefined => flagAt(record, key, notes) ?? undefined
  const time = (key: string): string | undefined => timeAt(record, key, notes) ?? undefined
  const startedAt = time(source === 'index' ? 'timestamp' : 'start_ts')
  const durationSeconds = number('duration_seconds')
  const facts: Facts = {
    dirName: text('dir_name') ?? dir ?? undefined,
    success: flag('success'),
    subtype: text('subtype'),
    cliSubtype: text('cli_subtype'),
    exitCode: number('exit_code'),
    terminationReason: text('termination_reason'),
    killReason: text('kill_reason'),
    needsRetry: flag('needs_retry'),
    retryReason: text('retry_reason'),
    skillCommand: text('skill_command', COMMAND_MAX),
    writeCallCount: number('write_call_count'),
    kitchenId: text('kitchen_id') ?? text('pipeline_id'),
    orderId: text('order_id'),
    stepName: text('step_name') ?? stepOfLabel(text('session_label')),
    startedAt: source === 'index' || source === 'summary' ? startedAt : undefined,
    // A line of the index names only the start; later versions add how long it took.
    endedAt: time('end_ts') ?? (source === 'index' ? addSeconds(startedAt, durationSeconds) : undefined),
    durationSeconds,
    writePathWarnings: listAt(record, 'write_path_warnings', notes)
      ?.filter((one) => typeof one === 'string')
      .slice(0, WARNINGS_MAX)
      .map((one) => cutText(one, 500)),
    cloneContaminationReverted: flag('clone_contamination_reverted'),
    inputTokens: number('input_tokens'),
    outputTokens: number('output_tokens'),
    cacheReadInputTokens: number('cache_read_input_tokens') ?? number('cache_read_tokens'),
    cacheCreationInputTokens: number('cache_creation_input_tokens') ?? number('cache_write_tokens'),
  }
  const fact = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts
  const key = decidingKey(source, fact)
  return { source, ...fact, span: key === null ? wholeSpan(line) : spanOf(line, [key]) }
}

/** The field that a reader should see first. */
function decidingKey(source: RecordedSource, fact: Facts): string | null {
  if (source === 'audit_log') return fact.retryReason !== undefined ? 'retry_reason' : null
  if (fact.success === false && fact.subtype !== undefined) return 'subtype'
  return fact.success === undefined ? null : 'success'
}

/** Later versions write a label there: a step only when it is neither a dispatch nor made up. */
const stepOfLabel = (label: string | undefined): string | undefined =>
  label === undefined || label.startsWith('dispatch:') || label.startsWith('(') ? undefined : label

/** The source's own reader takes a time without a zone for UTC. */
export function timeAt(record: JsonObject, key: string, notes: Notes): string | null {
  const text = textAt(record, key, notes)
  return timeOf(text !== null && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text)
}

function addSeconds(at: string | undefined, seconds: number | undefined): string | undefined {
  if (at === undefined || seconds === undefined || !(seconds >= 0 && seconds < 1e9)) return undefined
  return timeOf(new Date(Date.parse(at) + seconds * 1000).toISOString()) ?? undefined
}
