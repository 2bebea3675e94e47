import { isObject, member, type ExactJson, type ExactObject } from '../exact-json'
import { eventIdOf, eventTypeOf } from '../diagnosis/event-row'
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
  /** Rows of it that hold what the worker replied instead of what the log made of it. */
  replies: ReadonlySet<ExactJson>
  /** Captures of which it is not known what row they became, or whose row is not there. */
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
export function runDocument(around: ExactJson, rows: readonly ExactJson[], captures: readonly Captured[] = []): RunDocument {
  const head = isObject(around) ? Object.fromEntries(Object.entries(around).filter(([key]) => !OF_THE_ANSWER.includes(key))) : {}
  const events = [...rows]
  const replies = new Set<ExactJson>()
  let unplaced = 0
  for (const capture of captures) {
    const places = placesOf(capture, rows)
    if (places.length === 0) unplaced++
    for (const at of places) replies.add((events[at] = withReply(rows[at]!, capture.reply)))
  }
  return { document: { ...head, events }, replies, unplaced }
}

/** A run as the log would hold it by design: what a worker of today drops of its replies. */
export const asLogged = ({ document, replies }: RunDocument): ExactJson =>
  (replies.size === 0 ? document : projectDocument(document, 'current', (row) => replies.has(row)))

/** Rows that hold what came of a command. */
const REPLY_ROWS = new Set(['call.done', 'call.error', 'step.exit', 'command.completed', 'command.failed'])

/**
 * The rows that a reply became: the one that the capture names, else those of its step, when only one command of it replied. Otherwise nobody can tell.
 */
function placesOf({ eventId, type, node }: Captured, rows: readonly ExactJson[]): number[] {
  const all = rows.map((_, i) => i)
  if (eventId !== null) return all.filter((i) => String(eventIdOf(rows[i]!)) === eventId)
  if (node === null) return []
  const ofStep = all.filter((i) => (member(rows[i], 'node_name') ?? member(rows[i], 'step')) === node && REPLY_ROWS.has(eventTypeOf(rows[i]!)))
  const ends = (first: string): number => ofStep.filter((i) => eventTypeOf(rows[i]!).startsWith(first)).length
  if (ends('command.') > 1 || ends('call.') > 1) return []
  return type === null ? ofStep : ofStep.filter((i) => eventTypeOf(rows[i]!) === type)
}

function withReply(row: ExactJson, reply: ExactJson): ExactJson {
  if (!isObject(row)) return row
  const result = member(row, 'result')
  return { ...row, result: { ...(isObject(result) ? result : {}), context: reply } }
}
