import {
  exactJsonText,
  isObject,
  member,
  memberAt,
  type ExactJson,
  type ExactObject,
} from '../../text/exact-json'
import { doubleOf, isNumber } from '../../text/exact-number'
import { isResultReference } from '../../formats/noetl/stubs'

/** Ways in which the source's worker has written results: the first lost every diagnosis, the second what was nested in one. */
export const PROJECTIONS = ['scalars_only', 'flat_diagnosis', 'whole_diagnosis', 'current'] as const
export type Projection = (typeof PROJECTIONS)[number]

/** A larger context is dropped whole by the worker, or by the server, whose limit counts where both write. */
const CONTEXT_BYTES_MAX = 100 * 1024

const DROPPED_KEYS = new Set([
  '_ref',
  '_preview',
  '_size_bytes',
  '_store',
  '_store_failed',
  '_store_error',
  '_inline',
  '_internal_data',
  'data',
  'response',
  'result',
  'payload',
  'rows',
  'columns',
])

/** What the worker keeps of a reply, before any limit. */
export function projectContext(reply: ExactJson, projection: Projection): ExactObject {
  if (!isObject(reply)) return {}
  const rows = member(reply, 'rows')
  // A reply with rows is taken as it is.
  if (Array.isArray(rows)) return { ...reply, row_count: rows.length }
  const own = member(reply, 'context')
  const from = isObject(own) ? own : reply
  return objectOf(Object.entries(from).map(([key, value]) => [key, keptOf(from, key, value, projection)]))
}

/** What is kept of a member; undefined when nothing. */
function keptOf(
  context: ExactObject,
  key: string,
  value: ExactJson,
  projection: Projection,
): ExactJson | undefined {
  if (projection === 'current' && isKeptWhole(context, key)) return value
  if (DROPPED_KEYS.has(key) || (key.startsWith('command_') && key !== 'command_id') || Array.isArray(value))
    return undefined
  if (!isObject(value) || isResultReference(value)) return value
  const inner = objectOf(
    Object.entries(value).map(([name, one]) => [name, keptInside(key, name, one, projection)]),
  )
  return Object.keys(inner).length === 0 ? undefined : inner
}

function isKeptWhole(context: ExactObject, key: string): boolean {
  if (key === 'control_data') return true
  if (key === 'data') return member(context, 'framework') === 'noetl'
  const version = member(context, 'schema_version')
  return (
    key === 'payload' &&
    isNumber(version) &&
    doubleOf(version) === 1 &&
    typeof member(context, 'widget_type') === 'string'
  )
}

function keptInside(
  key: string,
  name: string,
  value: ExactJson,
  projection: Projection,
): ExactJson | undefined {
  if (!isObject(value) && !Array.isArray(value)) return value
  if (key === 'error' && name === 'diagnosis') {
    if (projection === 'scalars_only') return undefined
    if (projection !== 'flat_diagnosis' || !isObject(value)) return value
    return objectOf(
      Object.entries(value).map(([inner, one]) => [
        inner,
        isObject(one) || Array.isArray(one) ? undefined : one,
      ]),
    )
  }
  const isAllowed = (key === 'render' && name === 'args') || (key === 'meta' && name === 'inline_decision')
  return isAllowed && projection === 'current' ? value : undefined
}

/**
 * A document of the worker's layer as the source would have written it into its log: every result of its rows, projected. A context over
 * the limit is dropped as the source does, but not one with a diagnosis, whose loss is never on purpose.
 *
 * @param isReply whether a row contains what a worker replied; others are as they were written
 */
export function projectDocument(
  document: ExactJson,
  projection: Projection,
  isReply: (index: number) => boolean = () => true,
): ExactJson {
  const events = member(document, 'events')
  if (isObject(document) && Array.isArray(events))
    return { ...document, events: events.map((row, i) => (isReply(i) ? projectRow(row, projection) : row)) }
  return projectRow(document, projection)
}

function projectRow(row: ExactJson, projection: Projection): ExactJson {
  const result = member(row, 'result')
  const context = member(result, 'context')
  if (!isObject(row) || !isObject(result) || !isObject(context)) return row
  const kept = projectContext(context, projection)
  const { context: _, ...rest } = result
  if (isOverLimit(kept) && (memberAt(kept, 'error', 'diagnosis') ?? null) === null)
    return { ...row, result: rest }
  return { ...row, result: { ...result, context: kept } }
}

/** Whether the source drops a context as a whole for its size. */
export const isOverLimit = (context: ExactObject): boolean =>
  new TextEncoder().encode(exactJsonText(context)).length > CONTEXT_BYTES_MAX

const objectOf = (entries: readonly (readonly [string, ExactJson | undefined])[]): ExactObject =>
  Object.fromEntries(entries.filter((entry): entry is [string, ExactJson] => entry[1] !== undefined))
