import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LABEL_KINDS, LABEL_OUTCOMES, type Outcome } from '@/lib/model/cause-labels'

export type Kind = (typeof LABEL_KINDS)[number]

export const RECOVERED = ['same', 'other_way', 'no'] as const
export const RETRY = ['would_help', 'would_not'] as const
const UNCLEAR = 'unclear'

export type Recovered = (typeof RECOVERED)[number]
export type Retry = (typeof RETRY)[number]

export interface CallReading {
  kind: Kind
  /** Further kinds that are right. */
  acceptable: readonly Kind[]
  recovered: Recovered | typeof UNCLEAR
  unchangedRetry: Retry | typeof UNCLEAR
}

export interface Reading {
  /** Null: the reader said nothing about it. */
  outcome: Outcome | null
  /** Ids of the failed calls to show first; empty: nothing needs attention. */
  firstToSee: readonly string[]
  calls: ReadonlyMap<string, CallReading>
}

export interface LabelledSession {
  /** File of labels that it is from, without its ending. */
  set: string
  /** Relative to the samples' folder. */
  file: string
  readings: readonly [Reading, Reading]
}

const shared = join(import.meta.dirname, '../../../shared')
export const LABELS_FOLDER = join(shared, 'labels')
/** Readings of further sessions, made for this project. */
export const MORE_LABELS_FOLDER = join(import.meta.dirname, 'more-labels')
export const SAMPLES_FOLDER = join(shared, 'samples')

/**
 * Whether the labels and the sessions they are about are beside the project: they are third parties' and not
 * part of it.
 */
export const hasLabels = (): boolean => existsSync(LABELS_FOLDER) && existsSync(SAMPLES_FOLDER)

/** The labelled sessions of every `*.jsonl` in the folder, files in the order of their names. */
export function readLabels(folder = LABELS_FOLDER): LabelledSession[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
  return names.flatMap((name) => parseLabels(readFileSync(join(folder, name), 'utf8'), name))
}

/**
 * Parses one file of labels, a JSON object a line.
 *
 * @throws on a value that is in no list: a misspelled label would count as a disagreement of the product
 */
export function parseLabels(text: string, name: string): LabelledSession[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    try {
      return [{ set: name.replace(/\.jsonl$/, ''), ...parseSession(JSON.parse(line)) }]
    } catch (cause) {
      throw new Error(`${name}, line ${i + 1}: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      })
    }
  })
}

function parseSession(value: unknown): Omit<LabelledSession, 'set'> {
  const { file, readings } = objectOf(value, 'session')
  if (typeof file !== 'string' || file === '') throw new Error('file is not a path')
  if (!Array.isArray(readings) || readings.length !== 2) throw new Error('readings are not two')
  return { file, readings: [parseReading(readings[0]), parseReading(readings[1])] }
}

function parseReading(value: unknown): Reading {
  const reading = objectOf(value, 'reading')
  const firstToSee = stringsOf(reading['first_to_see'], 'first_to_see')
  const calls = new Map(
    Object.entries(objectOf(reading['calls'], 'calls')).map(([id, call]) => [id, parseCall(call)]),
  )
  const unknown = firstToSee.find((id) => !calls.has(id))
  if (unknown !== undefined) throw new Error(`first_to_see names ${unknown}, which is not among its calls`)
  const outcome = oneOf(LABEL_OUTCOMES, reading['outcome'], 'outcome')
  // An exported correction names what the person said; the rest only fills the format.
  const states = reading['states'] === undefined ? null : stringsOf(reading['states'], 'states')
  const isStated = (what: string): boolean => states === null || states.includes(what)
  return {
    outcome: isStated('outcome') ? outcome : null,
    firstToSee,
    calls: isStated('calls') ? calls : new Map(),
  }
}

function parseCall(value: unknown): CallReading {
  const call = objectOf(value, 'call')
  const acceptable = stringsOf(call['acceptable'] ?? [], 'acceptable')
  return {
    kind: oneOf(LABEL_KINDS, call['kind'], 'kind'),
    acceptable: acceptable.map((kind) => oneOf(LABEL_KINDS, kind, 'acceptable')),
    recovered: oneOf([...RECOVERED, UNCLEAR], call['recovered'], 'recovered'),
    unchangedRetry: oneOf([...RETRY, UNCLEAR], call['unchanged_retry'], 'unchanged_retry'),
  }
}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} is not an object`)
  return value as Record<string, unknown>
}

function stringsOf(value: unknown, what: string): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Error(`${what} is not a list of texts`)
  return value
}

function oneOf<T extends string>(list: readonly T[], value: unknown, what: string): T {
  const found = list.find((one) => one === value)
  if (found === undefined) throw new Error(`${what} ${JSON.stringify(value)} is none of ${list.join(', ')}`)
  return found
}
