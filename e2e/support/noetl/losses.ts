import { isObject, isScalar, roundedNumbers, writeJson, type Json, type JsonObject } from './json'
import type { NoetlEvent, NoetlRun } from './runs'

/** The stations of the data. What is lost at one is lost at those after it. */
export const LAYERS = ['worker', 'event_log', 'api'] as const
export type Layer = (typeof LAYERS)[number]

/** `true` loses where the source is known to lose, which is beside each. */
export interface Losses {
  /** `event_log`: up to 2.35.8 the projection kept scalars only, and every diagnosis vanished. */
  scalarOnlyProjection?: boolean | Layer
  /** `event_log`: up to 2.37.0 it kept the scalars of a diagnosis, and its `_meta` vanished. */
  flatDiagnosis?: boolean | Layer
  /** `event_log`: a context above `contextBytesMax` (100 KiB unless told) is dropped whole. */
  contextCap?: boolean | Layer
  contextBytesMax?: number
  /** `api`: numbers pass through binary64. In the log that are those inside of JSON; the columns cannot lose digits. */
  roundedIds?: boolean | Layer
  /** `worker`: the diagnosis run was started and not waited for, its acknowledgement is in the place of the diagnosis. */
  handleInsteadOfDiagnosis?: boolean | Layer
  /** `api`: the context is a text that holds JSON. */
  stringifiedContext?: boolean | Layer
  /** The API gives no more than the newest so many rows of a run. Its total tells of the others. */
  pageCap?: number
  /** A page of the API holds no more rows than this, whatever was asked for. */
  pageSizeCap?: number
  /** Whatever page is asked for, the first one comes, and says that there is another. */
  stuckPages?: true
  /** `noetl.execution` does not know the newest so many rows yet. */
  executionLag?: number
  /** The list of the API does not know the newest so many rows yet. */
  listLag?: number
}

const NATURAL = {
  scalarOnlyProjection: 'event_log',
  flatDiagnosis: 'event_log',
  contextCap: 'event_log',
  roundedIds: 'api',
  handleInsteadOfDiagnosis: 'worker',
  stringifiedContext: 'api',
} as const satisfies Partial<Record<keyof Losses, Layer>>

export type LossName = keyof typeof NATURAL
export const LOSS_NAMES = Object.keys(NATURAL) as LossName[]

/** Whether a loss has happened by the time the data is at a layer. */
export function isLostAt(losses: Losses, name: LossName, layer: Layer): boolean {
  const set = losses[name]
  if (set === undefined || set === false) return false
  return LAYERS.indexOf(layer) >= LAYERS.indexOf(set === true ? NATURAL[name] : set)
}

const CONTEXT_BYTES_MAX = 100 * 1024

/** A row as it is in the log or is sent by the API, after what was lost on the way. */
export function rowAt(
  layer: 'event_log' | 'api',
  event: NoetlEvent,
  run: NoetlRun,
  losses: Losses,
): NoetlEvent {
  const lost = { ...event, result: resultAt(layer, event, run, losses) }
  // The API rounds when it writes the whole document.
  if (layer === 'api' || !isLostAt(losses, 'roundedIds', 'event_log')) return lost
  return { ...lost, result: rounded(lost.result), context: rounded(lost.context), meta: rounded(lost.meta) }
}

const rounded = (value: Json | undefined): Json | undefined =>
  value === undefined ? undefined : roundedNumbers(value)

/** What the worker replied, as a capture beside it would hold it; null for a row that no reply went into. */
export function replyOf(event: NoetlEvent, run: NoetlRun, losses: Losses): Json {
  if (event.reply === undefined) return null
  const lost = resultAt('worker', { ...event, result: { context: event.reply } }, run, losses)
  const reply = isObject(lost) ? (lost.context ?? null) : null
  return isLostAt(losses, 'roundedIds', 'worker') ? roundedNumbers(reply) : reply
}

function resultAt(layer: Layer, event: NoetlEvent, run: NoetlRun, losses: Losses): Json {
  const result = event.result ?? null
  if (!isObject(result) || !isObject(result.context)) return result
  let context: JsonObject | string | null = result.context
  if (isLostAt(losses, 'handleInsteadOfDiagnosis', layer)) context = withHandle(context, run)
  if (isLostAt(losses, 'scalarOnlyProjection', layer)) context = scalarsOf(context, false)
  else if (isLostAt(losses, 'flatDiagnosis', layer)) context = scalarsOf(context, true)
  const bytesMax = losses.contextBytesMax ?? CONTEXT_BYTES_MAX
  if (isLostAt(losses, 'contextCap', layer) && bytesOf(context) > bytesMax) context = transportOf(event)
  if (context !== null && isLostAt(losses, 'stringifiedContext', layer)) context = writeJson(context)
  const { context: _, ...rest } = result
  return context === null ? rest : { ...rest, context }
}

const bytesOf = (value: Json): number => Buffer.byteLength(writeJson(value))

/** What is left of a context that was dropped. */
function transportOf({ commandId, workerId }: NoetlEvent): JsonObject | null {
  if (commandId === undefined) return null
  return { command_id: BigInt(commandId), ...(workerId === undefined ? {} : { worker_id: workerId }) }
}

function withHandle(context: JsonObject, run: NoetlRun): JsonObject {
  if (!isObject(context.error) || !isObject(context.error.diagnosis)) return context
  const started = run.diagnosisExecutionId ?? String(BigInt(run.executionId) + 1n)
  const diagnosis = { execution_id: started, status: 'started', commands_generated: 1 }
  return { ...context, error: { ...context.error, diagnosis } }
}

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

const isReference = (value: Json | undefined): boolean =>
  isObject(value) && (value.kind === 'temp_ref' || value.kind === 'result_ref')

/** The projections of old: scalars, and the scalars of objects. */
function scalarsOf(context: JsonObject, keepsDiagnosis: boolean): JsonObject {
  const kept: JsonObject = {}
  for (const [key, value] of Object.entries(context)) {
    if (DROPPED_KEYS.has(key) || (key.startsWith('command_') && key !== 'command_id') || Array.isArray(value))
      continue
    if (!isObject(value) || isReference(value)) {
      kept[key] = value
      continue
    }
    const inner = ownScalars(value)
    if (keepsDiagnosis && key === 'error' && isObject(value.diagnosis))
      inner.diagnosis = ownScalars(value.diagnosis)
    if (Object.keys(inner).length > 0) kept[key] = inner
  }
  return kept
}

const ownScalars = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => isScalar(one)))
