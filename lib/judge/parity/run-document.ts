import { isObject, member, type ExactJson, type ExactObject } from '../../text/exact-json'
import { eventIdOf, eventTypeOf } from '../../formats/noetl/event-row'
import { projectDocument } from './project-result'

/** What a worker replied, as it was captured, and what the capture says of the row that was made of it. */
export interface Captured {
  eventId: string | null
  type: string | null
  node: string | null
  reply: ExactJson
}

/** A run as one document of all its rows, in the shape that the API of its server has. */
export interface RunDocument {
  document: ExactObject
  /** Places of rows that hold what the worker replied instead of what the log made of it. */
  replies: ReadonlySet<number>
  /** Captures of which it is not known what row they became. */
  unplaced: number
}

/** Members of a document that tell of the answer, not of the run. */
const OF_THE_ANSWER = ['events', 'pagination', 'events_included', 'events_endpoint']

/**
 * Puts a run together from what is around its rows and the rows themselves. Where the worker's reply was captured, its row holds that: the log can
 * only hold less.
 *
 * @param rows in the order of their ids
 * @see docs/parity.md#captures
 */
export function runDocument(
  around: ExactJson,
  rows: readonly ExactJson[],
  captures: readonly Captured[] = [],
): RunDocument {
  const head = isObject(around)
    ? Object.fromEntries(Object.entries(around).filter(([key]) => !OF_THE_ANSWER.includes(key)))
    : {}
  const events = rows.map((row) => ofRun(row, head))
  const replies = new Set<number>()
  let unplaced = 0
  for (const capture of captures) {
    const places = placesOf(capture, rows)
    for (const at of places) {
      events[at] = withReply(events[at]!, capture.reply)
      replies.add(at)
    }
    if (places.length > 0) continue
    if (capture.eventId === null) unplaced++
    // Its row is gone, whole.
    else replies.add(events.push(rowOf(capture)) - 1)
  }
  return { document: { ...head, events }, replies, unplaced }
}

/** A row of a server that says only around its rows whose they are; without that it could be taken for another thing. */
function ofRun(row: ExactJson, head: ExactObject): ExactJson {
  const lacking = isObject(row)
    ? ['execution_id', 'catalog_id'].filter((key) => !Object.hasOwn(row, key) && Object.hasOwn(head, key))
    : []
  return isObject(row) && lacking.length > 0
    ? { ...Object.fromEntries(lacking.map((key) => [key, head[key]!])), ...row }
    : row
}

/** A run as the log would hold it by design: what a worker of today drops of its replies. */
export const asLogged = (document: ExactJson, { replies }: Pick<RunDocument, 'replies'>): ExactJson =>
  replies.size === 0 ? document : projectDocument(document, 'current', (index) => replies.has(index))

/** Rows in the order of their ids, those without one behind; rows of one id, as where digits were lost, in the order of time. */
export const byRowId = (rows: readonly ExactJson[]): ExactJson[] => {
  const ids = new Map(rows.map((row) => [row, eventIdOf(row)]))
  const known = rows.flatMap((row) => ids.get(row) ?? [])
  const isNewestFirst = known.length > 1 && known[0]! > known.at(-1)!
  return (isNewestFirst ? rows.toReversed() : [...rows]).sort((a, b) => {
    const [left, right] = [ids.get(a) ?? null, ids.get(b) ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -1 : left > right ? 1 : 0
  })
}

/** Rows that hold what came of a command. */
const REPLY_ROWS = new Set(['call.done', 'call.error', 'step.exit', 'command.completed', 'command.failed'])

/**
 * The rows that a reply became: the one that the capture names, else those of its step, when only one command of it replied. Otherwise nobody can tell.
 */
function placesOf({ eventId, type, node }: Captured, rows: readonly ExactJson[]): number[] {
  const all = rows.map((_, i) => i)
  if (eventId !== null) return all.filter((i) => String(eventIdOf(rows[i]!)) === eventId)
  if (node === null) return []
  const ofStep = all.filter(
    (i) =>
      (member(rows[i], 'node_name') ?? member(rows[i], 'step')) === node &&
      REPLY_ROWS.has(eventTypeOf(rows[i]!)),
  )
  const ends = (first: string): number => ofStep.filter((i) => eventTypeOf(rows[i]!).startsWith(first)).length
  if (ends('command.') > 1 || ends('call.') > 1) return []
  return type === null ? ofStep : ofStep.filter((i) => eventTypeOf(rows[i]!) === type)
}

const rowOf = ({ eventId, type, node, reply }: Captured): ExactObject => ({
  event_id: eventId,
  event_type: type,
  node_name: node,
  result: { context: reply },
})

function withReply(row: ExactJson, reply: ExactJson): ExactJson {
  if (!isObject(row)) return row
  const result = member(row, 'result')
  return { ...row, result: { ...(isObject(result) ? result : {}), context: reply } }
}
