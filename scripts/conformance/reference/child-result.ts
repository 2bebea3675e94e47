import { eventIdOf, eventTypeOf, isCompletingType } from '@/lib/formats/noetl/event-row'
import { isObject, member, memberAt, type ExactJson, type ExactObject } from '@/lib/text/exact-json'

const BOUNDARY_NODES: unknown[] = ['start', 'end', '', null, undefined]

/**
 * What a child run came to: the result of its last completing step, boundary nodes aside, whose flattened fields are folded back. For a
 * failed child that is the last step that succeeded, not the cause.
 *
 * @returns null when no step completed, or when its row has no context; what a result reference stands for is not fetched
 */
export function terminalResultOfChild(rows: readonly ExactJson[]): ExactJson {
  let last: ExactJson = null
  let highest = -1n
  for (const row of rows) {
    const id = eventIdOf(row) ?? 0n
    const node = member(row, 'node_name') || member(row, 'step')
    if (id <= highest || BOUNDARY_NODES.includes(node) || !isCompletingType(eventTypeOf(row))) continue
    highest = id
    last = row
  }
  const context = memberAt(last, 'result', 'context')
  return isObject(context) ? foldedBack(context) : null
}

/** `data_*` members make the data, which takes in what says how the call went; `_meta_*` members make its `_meta`. */
function foldedBack(context: ExactObject): ExactObject {
  const control = member(context, 'control_data')
  if (isObject(control)) return control
  const [data, meta, others]: [Entries, Entries, Entries] = [[], [], []]
  for (const [key, value] of Object.entries(context)) {
    if (key.startsWith('data_')) data.push([key.slice('data_'.length), value])
    else if (key.startsWith('_meta_')) meta.push([key.slice('_meta_'.length), value])
    else others.push([key, value])
  }
  const rest = Object.fromEntries(others)
  const own = member(rest, '_meta')
  if (meta.length > 0) rest._meta = { ...(isObject(own) ? own : {}), ...Object.fromEntries(meta) }
  if (data.length === 0) return rest
  const folded = Object.fromEntries(data)
  for (const [from, to] of [
    ['status', '_mcp_status'],
    ['isError', 'isError'],
    ['_meta', '_meta'],
  ] as const) {
    const value = member(rest, from)
    if (value !== undefined && !Object.hasOwn(folded, from)) folded[to] = value
  }
  return folded
}

type Entries = [string, ExactJson][]
