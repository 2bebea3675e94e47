import { decisiveLine } from '../../text/decisive-line'
import { unknownType, type RecordContent } from '../claude/draft'
import { textPassageSpan, wholeSpan } from '../claude/span'
import { capText, cutText } from '../../text/cap-text'
import { numberAt, textAt, type JsonObject, type Notes } from '../claude/wire'
import type { LogFile } from './layout'
import { readRecorded, timeAt } from './recorded'
import { RECORDED_FILES, type RecordedDecisionFact } from '../../model/run-facts'
import type { LineInput } from '../../model/adapter'

/** A record as it was read, with the producer's own type and time. */
export interface ReadRecord {
  content: RecordContent
  type: string
  at: string | null
}

/** What a record is when its file's name does not say: by keys that no other file has. */
function fileOf(record: JsonObject): LogFile | null {
  const has = (...keys: string[]): boolean => keys.every((key) => Object.hasOwn(record, key))
  if (has('dir_name')) return has('start_ts') || has('termination_reason') ? 'summary' : 'index'
  if (has('needs_retry', 'subtype')) return 'audit_log'
  if (has('total_seconds', 'step_name')) return 'step_timing'
  if (has('input_tokens', 'output_tokens')) return 'token_usage'
  if (has('seq', 'event')) return record['event'] === 'anomaly' ? 'anomalies' : 'trace'
  return null
}

/** Reads one JSON record of a file; what its name does not say its keys do. */
export function readRecord(
  named: LogFile | null,
  record: JsonObject,
  line: LineInput,
  notes: Notes,
  dir: string | null,
): ReadRecord {
  const file = named ?? fileOf(record)
  const quiet: Notes = { wrong: [] }
  switch (file) {
    case 'index':
    case 'summary':
    case 'audit_log': {
      const recorded = readRecorded(file, record, line, notes, dir)
      // A summary is written when the run has ended; a line of the index stands for its start.
      const at =
        file === 'audit_log'
          ? timeAt(record, 'timestamp', notes)
          : ((file === 'summary' ? recorded.endedAt : null) ?? recorded.startedAt ?? null)
      const content: RecordContent = {
        kind: 'run_result',
        summary: verdictWords(recorded),
        facts: { recorded },
      }
      const cwd = textAt(record, 'cwd', notes)
      if (cwd) content.facts.cwd = capText(cwd, 1_000)
      return { content, type: RECORDED_FILES[file], at }
    }
    case 'token_usage':
    case 'step_timing': {
      const recorded = readRecorded(file, record, line, notes, dir)
      const { inputTokens: input, outputTokens: output } = recorded
      const seconds = numberAt(record, file === 'step_timing' ? 'total_seconds' : 'timing_seconds', notes)
      const words = [
        ...(recorded.stepName === undefined ? [] : [`step ${recorded.stepName}`]),
        ...(input === undefined && output === undefined
          ? []
          : [`${input ?? '?'} tokens in, ${output ?? '?'} out`]),
        ...(seconds === null ? [] : [`${seconds} s`]),
      ]
      const head = file === 'token_usage' ? 'Token usage' : 'Timing'
      return {
        content: { kind: 'meta', summary: `${head}: ${words.join(', ')}`, facts: { recorded } },
        type: RECORDED_FILES[file],
        at: null,
      }
    }
    case 'anomalies': {
      const kind = textAt(record, 'kind', notes) ?? 'of no kind'
      const summary = `Anomaly ${kind} (${textAt(record, 'severity', notes) ?? 'no severity'})`
      return {
        content: { kind: 'meta', summary, facts: {} },
        type: `anomaly/${kind}`,
        at: timeAt(record, 'ts', notes),
      }
    }
    case 'trace': {
      const event = textAt(record, 'event', notes) ?? 'snapshot'
      const state = [textAt(record, 'comm', quiet), textAt(record, 'state', quiet)].filter(Boolean).join(' ')
      const summary = `Process ${event} ${numberAt(record, 'seq', notes) ?? ''} ${state}`
      return {
        content: { kind: 'progress', summary, facts: {} },
        type: `trace/${event}`,
        at: timeAt(record, 'ts', notes),
      }
    }
    default: {
      const keys = Object.keys(record).slice(0, 6)
      const content = unknownType('record', { id: 'unknown_record', params: { what: 'record', keys } })
      return { content, type: '', at: null }
    }
  }
}

/** Reads the text of an exception that ended the run on the source's side. */
export function readCrash(text: string, line: LineInput, dir: string | null): ReadRecord {
  const why = decisiveLine(text)
  const recorded: RecordedDecisionFact = {
    source: 'crash',
    ...(dir === null ? {} : { dirName: dir }),
    ...(why === null ? {} : { crash: cutText(why.text, 500) }),
    span: why === null ? wholeSpan(line) : textPassageSpan(line, why),
  }
  return {
    content: {
      kind: 'run_result',
      summary: { id: 'crashed', params: { why: why?.text ?? null } },
      facts: { recorded },
    },
    type: RECORDED_FILES.crash,
    at: null,
  }
}

/** A verdict as it was recorded, in one line; the words of the source stay its own. */
function verdictWords(r: RecordedDecisionFact): string {
  const verdict = r.success === undefined ? 'Recorded' : `Recorded as ${r.success ? 'success' : 'failure'}`
  const parts = [
    r.subtype,
    r.exitCode === undefined ? undefined : `exit ${r.exitCode}`,
    r.terminationReason,
    r.retryReason === undefined ? undefined : `retry reason ${r.retryReason}`,
    r.skillCommand,
  ].filter((part) => part !== undefined)
  return `${verdict}: ${parts.join(' · ')}`
}
