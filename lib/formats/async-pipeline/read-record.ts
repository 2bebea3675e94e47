import { timeOf } from '../claude/text'
import { capText } from '../../text/cap-text'
import { spanOf, wholeSpan, type Path } from '../claude/span'
import {
  asObject,
  flagAt,
  listAt,
  noteWrong,
  numberAt,
  objectAt,
  textAt,
  type JsonObject,
  type Notes,
} from '../claude/wire'
import { limits } from '../../limits'
import type { PipelineRunFact, TaskFact } from '../../model/pipeline-facts'
import { readError } from './read-error'
import type { LineInput } from '../../model/adapter'

const NAME_MAX = 300
const SOURCES_MAX = 50
const METADATA_MAX = 30

const textIn = (record: JsonObject, key: string, notes: Notes, max = NAME_MAX): string | null => {
  const text = textAt(record, key, notes)
  return text === null ? null : capText(text, max)
}

const timeIn = (record: JsonObject, key: string, notes: Notes): string | null => {
  const text = textAt(record, key, notes)
  const at = timeOf(text)
  if (text !== null && at === null) noteWrong(notes, `/${key}`, 'not_time')
  return at
}

/** Counts and milliseconds: whole numbers that can be counted with. */
const countIn = (record: JsonObject, key: string, notes: Notes): number | null => {
  const number = numberAt(record, key, notes)
  if (number === null) return null
  const whole = Math.round(number)
  if (Number.isSafeInteger(whole) && whole >= 0) return whole
  noteWrong(notes, `/${key}`, 'not_count')
  return null
}

/** What the record of a run says of the run itself. */
export function readRunRecord(record: JsonObject, line: LineInput, at: Path, notes: Notes): PipelineRunFact {
  const sources = objectAt(record, 'sources', notes) ?? {}
  return {
    pipeline: textIn(record, 'pipelineName', notes),
    job: textIn(record, 'jobId', notes),
    status: textIn(record, 'status', notes, 40),
    mode: textIn(record, 'mode', notes, 40),
    pid: countIn(record, 'pid', notes),
    startedAt: timeIn(record, 'startedAt', notes),
    finishedAt: timeIn(record, 'finishedAt', notes),
    tasks: listAt(record, 'tasks', notes)?.length ?? 0,
    sources: Object.entries(sources)
      .slice(0, SOURCES_MAX)
      .flatMap(([id, value]) => {
        const source = asObject(value)
        return source === null
          ? []
          : [
              {
                id: capText(id, NAME_MAX),
                type: textIn(source, 'type', notes, 40),
                commit: textIn(source, 'commit', notes, 100),
                ref: textIn(source, 'ref', notes),
                dirty: flagAt(source, 'dirty', notes),
              },
            ]
      }),
    span: 'status' in record ? spanOf(line, [...at, 'status']) : wholeSpan(line),
  }
}

/**
 * One task result; null for what is none. The id comes from here: file names are not unique among tasks.
 *
 * @param row the task alone, of which `place` is the JSON pointer
 */
export function readTask(
  value: unknown,
  ordinal: number,
  row: LineInput,
  place: string,
  notes: Notes,
): TaskFact | null {
  const task = asObject(value)
  const id = task === null ? null : textAt(task, 'id', notes)
  if (task === null || id === null) {
    noteWrong(notes, `/tasks/${ordinal}`, 'not_task')
    return null
  }
  const error = textAt(task, 'error', notes)
  const metadata = metadataOf(objectAt(task, 'metadata', notes))
  return {
    id: capText(id, NAME_MAX),
    ordinal,
    status: textIn(task, 'status', notes, 40),
    startedAt: timeIn(task, 'startedAt', notes),
    finishedAt: timeIn(task, 'finishedAt', notes),
    durationMs: countIn(task, 'durationMs', notes),
    attempts: countIn(task, 'attempts', notes),
    cacheKey: textIn(task, 'cacheKey', notes, 128),
    cacheHit: flagAt(task, 'cacheHit', notes),
    ...(metadata && { metadata }),
    ...(error !== null && {
      error: {
        text: capText(error, limits.errorTextCharsMax),
        ...readError(error, id),
        span: { ...spanOf(row, ['error']), jsonPointer: `${place}/error` },
      },
    }),
    span: { ...wholeSpan(row), jsonPointer: place },
  }
}

function metadataOf(metadata: JsonObject | null): Record<string, string> | null {
  const entries = Object.entries(metadata ?? {}).slice(0, METADATA_MAX)
  if (entries.length === 0) return null
  return Object.fromEntries(
    entries.map(([key, value]) => [
      capText(key, 100),
      capText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 500),
    ]),
  )
}
