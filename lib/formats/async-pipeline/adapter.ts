import { finish, notAnObject, tooMany, unknownType, type RecordContent } from '../claude/draft'
import { rangeOf } from '../claude/span'
import { digestOf, idText } from '../claude/text'
import type { Notes } from '../claude/wire'
import { limits } from '../../limits'
import { elementSpans } from '../../bytes/json-spans'
import { encodeUtf8 } from '../../bytes/kept-bytes'
import type { NormalRecord } from '../../model/normal-form'
import type { TaskFact } from '../../model/pipeline-facts'
import { hideInRun, isExact } from './hide'
import { readContext } from './read-context'
import { readElement, type RunElement } from './read-element'
import { readExchange, readLog } from './read-log'
import { readPatch } from './read-patch'
import { readRunRecord, readTask } from './read-record'
import type { Adapter, LineInput } from '../../model/adapter'

export interface RunContext {
  /** The run that the bundle is of: the id in its record, else the name of its folder. */
  run: string | null
}

/**
 * Run folders of async-pipeline: a bundle of the files of one run (`bundle.ts`), or one of its JSON documents by itself. A run is an execution; each
 * task result of its record is a record of its own inside of it.
 *
 * @see docs/sources/async-pipeline.md
 */
export const asyncPipeline: Adapter<RunContext> = {
  channel: 'pipeline',

  peek(value) {
    const element = readElement(value)
    return { sessionId: element && runOf(element), agentId: null }
  },

  start: (hint) => ({ run: hint.sessionId ?? null }),

  hide: hideInRun,

  isExact,

  read(line, context) {
    const element = readElement(line.value)
    if (element === null) return unknown(line, context)
    const run = context.run ?? runOf(element)
    if (run === null)
      return finish(
        line,
        { ...envelope(homeOf(line)), homeless: true },
        unknownType('run file', element.path),
        { wrong: [] },
        true,
      )
    context.run = run
    const notes: Notes = { wrong: [] }
    const { content, type, at } = readFile(element, line, notes)
    const other = element.kind === 'context' && element.json !== null && textOf(element.json['runId'])
    // A pack that was put into the folder of another run is no pack of this one.
    if (other && other !== run)
      return finish(
        line,
        envelope(run, type, at),
        {
          ...content,
          facts: {},
          odd: { reason: 'wrong_type', detail: { id: 'other_run', params: { run: other.slice(0, 60) } } },
        },
        { wrong: [] },
        false,
      )
    return finish(line, envelope(run, type, at), content, notes, false)
  },

  within(line, context) {
    const element = readElement(line.value)
    const { run } = context
    if (
      element === null ||
      element.kind !== 'execution' ||
      run === null ||
      !Array.isArray(element.json?.['tasks'])
    )
      return []
    const tasks = element.json['tasks']
    const path = [...element.at, 'tasks']
    return taskRows(line, path)
      .slice(0, limits.runTasksMax)
      .flatMap((row, i) => {
        const notes: Notes = { wrong: [] }
        const task = readTask(tasks[i], i, row, `/${[...path, i].join('/')}`, notes)
        return task === null ? [] : [taskRecord(task, row, run, notes)]
      })
  },
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Each task of the record as a line of its own, found in one walk. Its place needs only be one of its own: the bytes are those of the record. */
function taskRows(line: LineInput, path: readonly string[]): LineInput[] {
  const range = rangeOf(line.text, path)
  if (range === null) return []
  const bytes = encodeUtf8(line.text)
  const spans = elementSpans(bytes, encodeUtf8(line.text.slice(0, range.start)).length)?.spans ?? []
  return spans.map(({ start, end }, i) => ({
    text: decoder.decode(bytes.subarray(start, end)),
    value: null,
    digest: line.digest,
    offset: line.offset + 1 + i,
    length: 1,
    keptStart: line.keptStart + start,
    keptEnd: line.keptStart + end,
  }))
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? idText(value.trim()) : null

function runOf({ kind, json, folder }: RunElement): string | null {
  const own =
    json === null
      ? null
      : kind === 'execution'
        ? textOf(json['id'])
        : kind === 'context'
          ? textOf(json['runId'])
          : null
  return own ?? textOf(folder)
}

const homeOf = (line: LineInput): string => `no-run-${line.digest.slice(0, 16)}`

const envelope = (executionKey: string, type = '', at: string | null = null) => ({
  executionKey,
  type,
  at,
  uuid: null,
  parentUuid: null,
})

function unknown(line: LineInput, { run }: RunContext): NormalRecord {
  const key = run ?? homeOf(line)
  if (typeof line.value !== 'object' || line.value === null || Array.isArray(line.value))
    return notAnObject(line, key, run === null)
  const keys = Object.keys(line.value).slice(0, 6)
  return finish(
    line,
    { ...envelope(key), homeless: run === null },
    unknownType('file', { id: 'unknown_record', params: { what: 'record', keys } }),
    { wrong: [] },
    run === null,
  )
}

interface ReadFile {
  content: RecordContent
  type: string
  at: string | null
}

function readFile(element: RunElement, line: LineInput, notes: Notes): ReadFile {
  const { kind, stem, json, lines, text, path, at } = element
  const meta = (
    summary: RecordContent['summary'],
    facts: RecordContent['facts'] = {},
    time: string | null = null,
  ): ReadFile => ({
    content: { kind: 'meta', summary, facts },
    type: path,
    at: time,
  })
  const unreadable = (id: 'file_not_json' | 'file_lines_not_json'): ReadFile => ({
    content: {
      kind: 'odd',
      summary: { id, params: { file: path } },
      facts: {},
      odd: { reason: 'not_json', detail: { id, params: { file: path } } },
    },
    type: path,
    at: null,
  })
  switch (kind) {
    case 'execution': {
      if (json === null) return unreadable('file_not_json')
      const run = readRunRecord(json, line, at, notes)
      const { pipeline, job, status, finishedAt, startedAt } = run
      if (element.folder === null) run.alone = true
      const title = [pipeline, job].filter((part) => part !== null && part !== '').join(' · ')
      return {
        content: {
          kind: finishedAt === null ? 'run_start' : 'run_result',
          summary: `Run ${status ?? 'without a status'}: ${title || 'no name'}, ${run.tasks} tasks recorded`,
          facts: { pipelineRun: run, ...(title !== '' && { title }) },
          ...(run.tasks > limits.runTasksMax && {
            odd: tooMany({ what: 'tasks', count: run.tasks, max: limits.runTasksMax }),
          }),
        },
        type: 'run',
        at: finishedAt ?? startedAt,
      }
    }
    case 'context': {
      if (json === null) return unreadable('file_not_json')
      const pack = readContext(json, line, at, notes)
      return {
        ...meta(
          { id: 'failure_context', params: { task: pack.task, error: pack.error } },
          { contextPack: pack },
        ),
        type: 'context pack',
      }
    }
    case 'log': {
      const log = readLog(text ?? '', stem!, element.cutBytes, line)
      return { ...meta(`Log ${stem}: ${log.chars} characters`, { taskLog: log }), type: 'log' }
    }
    case 'transcript': {
      if (lines === null) return unreadable('file_lines_not_json')
      const exchange = readExchange(lines, line, notes)
      return {
        content: {
          kind: 'text',
          summary: {
            id: 'agent_step',
            params: {
              task: exchange.task ?? stem ?? '',
              profile: exchange.profile,
              response: exchange.response && { code: exchange.response.code },
            },
          },
          facts: { exchange, ...(exchange.model !== null && { model: exchange.model }) },
        },
        type: 'agent exchange',
        at: exchange.response?.at ?? exchange.at,
      }
    }
    case 'prompt':
      return {
        content: { kind: 'prompt', summary: `Prompt of ${stem}: ${(text ?? '').slice(0, 300)}`, facts: {} },
        type: 'prompt',
        at: null,
      }
    case 'summary':
      return { ...meta({ id: 'tool_summary', params: {} }), type: 'summary' }
    case 'fix':
    case 'output': {
      const patch = readPatch(element, line)
      return patch === null
        ? meta(path)
        : { ...meta(`Patch ${patch.fileName}: ${patch.size} bytes`, { patchFile: patch }), type: 'patch' }
    }
    case 'outputs':
      return { ...meta({ id: 'task_outputs', params: {} }), type: 'outputs' }
    case 'other':
      return meta(path)
  }
}

/** A task of the record, as a record inside of it. */
function taskRecord(task: TaskFact, row: LineInput, run: string, notes: Notes): NormalRecord {
  const { id, ordinal, status, error } = task
  const summary = `Task ${id} ${status ?? 'without a status'}${task.cacheHit ? ' (from the cache)' : ''}${error ? `: ${error.text}` : ''}`
  const identity = digestOf(`${run}\n${ordinal}\n${row.text}`)
  const content: RecordContent = {
    kind: status === 'failed' ? 'result' : 'progress',
    summary,
    facts: { pipelineTask: task },
  }
  return {
    ...finish(
      row,
      { ...envelope(run, 'task', task.finishedAt ?? task.startedAt), uuid: identity },
      content,
      notes,
      false,
    ),
    within: true,
  }
}
