import { isObject, member, memberAt, type ExactJson, type ExactObject } from '../exact-json'
import { eventIdOf, eventTypeOf, isCompletingType, rowResult } from './event-row'
import { isCompleteDiagnosis } from './validate-diagnosis'

/** The step that keeps a diagnosis, where nothing else is configured. */
export const DIAGNOSIS_STEP = 'persist_diagnosis'

/**
 * The diagnosis that a diagnosis run kept. Of several the last of the list counts, which is the oldest where rows come newest first.
 *
 * @returns null when no row of the step holds all keys; a diagnosis that is kept as text is none
 */
export function findPersistedDiagnosis(rows: readonly ExactJson[], step: string = DIAGNOSIS_STEP): ExactJson {
  for (const row of rows.toReversed()) {
    if (member(row, 'node_name') !== step || !isCompletingType(eventTypeOf(row))) continue
    const diagnosis = memberAt(rowResult(row), 'context', 'diagnosis')
    if (diagnosis !== undefined && isCompleteDiagnosis(diagnosis)) return diagnosis
  }
  return null
}

const BOUNDARY_NODES = ['start', 'end', '']

/**
 * What a child run came to: the result of its last completing step, boundary nodes aside, whose flattened fields are folded back. For a failed
 * child that is the last step that succeeded, not the cause.
 *
 * @returns null when no step completed; a result reference is returned as it stands
 */
export function terminalResultOfChild(rows: readonly ExactJson[]): ExactJson {
  let last: ExactJson = null
  let highest: bigint | null = null
  for (const row of rows) {
    const id = eventIdOf(row)
    const node = member(row, 'node_name')
    if (id === null || typeof node !== 'string' || BOUNDARY_NODES.includes(node.trim()) || !isCompletingType(eventTypeOf(row))) continue
    if (highest !== null && id <= highest) continue
    highest = id
    last = row
  }
  const context = member(rowResult(last), 'context') ?? null
  return isObject(context) ? foldedBack(context) : context
}

function foldedBack(context: ExactObject): ExactJson {
  const control = member(context, 'control_data')
  if (isObject(control)) return control
  const data: [string, ExactJson][] = []
  const meta: [string, ExactJson][] = []
  for (const [key, value] of Object.entries(context)) {
    if (key.startsWith('data_')) data.push([key.slice('data_'.length), value])
    else if (key.startsWith('_meta_')) meta.push([key.slice('_meta_'.length), value])
  }
  if (data.length === 0 && meta.length === 0) return context
  if (meta.length > 0) data.push(['_meta', Object.fromEntries(meta)])
  return Object.fromEntries(data)
}
