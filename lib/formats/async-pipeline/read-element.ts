import { asObject, type JsonObject } from '../claude/wire'
import { BUNDLE_KEY } from './bundle'
import { readRunPath, type RunFile } from './layout'

/** One file of a run, as it came: as an element of a bundle, or by itself. */
export interface RunElement extends RunFile {
  /** Name of the folder; null for a file that came by itself. */
  folder: string | null
  path: string
  /** What the file holds, when it holds JSON; `at`: where in the record. */
  json: JsonObject | null
  lines: unknown[] | null
  text: string | null
  base64: string | null
  cutBytes: number | null
  /** Keys that lead to the content. */
  at: readonly string[]
}

const EMPTY = { json: null, lines: null, text: null, base64: null, cutBytes: null }

/** Reads a record as a file of a run; null for what is none. */
export function readElement(value: unknown): RunElement | null {
  const record = asObject(value)
  if (record === null) return null
  const own = (key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined)
  const [folder, path] = [own(BUNDLE_KEY), own('file')]
  if (typeof folder === 'string' && typeof path === 'string') {
    const [text, base64, cut, lines] = [own('text'), own('base64'), own('cutBytes'), own('lines')]
    const json = asObject(own('json'))
    return {
      ...readRunPath(path),
      folder,
      path,
      json,
      lines: Array.isArray(lines) ? lines : null,
      text: typeof text === 'string' ? text : null,
      base64: typeof base64 === 'string' ? base64 : null,
      cutBytes: typeof cut === 'number' && Number.isFinite(cut) ? cut : null,
      at: json !== null ? ['json'] : Array.isArray(lines) ? ['lines'] : ['text'],
    }
  }
  const alone = (kind: RunFile['kind'], file: string): RunElement => ({
    kind,
    stem: null,
    folder: null,
    path: file,
    ...EMPTY,
    json: record,
    at: [],
  })
  if (isRunRecord(record)) return alone('execution', 'execution.json')
  if (isContextPack(record)) return alone('context', 'context')
  return null
}

/** The record of a run, by keys that no other format has together. */
export const isRunRecord = (record: JsonObject): boolean =>
  typeof record['pipelineName'] === 'string' && Array.isArray(record['tasks'])

export const isContextPack = (record: JsonObject): boolean =>
  typeof record['runId'] === 'string' &&
  typeof record['task'] === 'string' &&
  ['reproduce', 'logTail', 'inputDiff'].some((key) => key in record)
