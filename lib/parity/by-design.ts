import { exactJsonText, isObject, type ExactJson } from '../exact-json'
import { doubleOf, isNumber } from '../exact-number'
import type { ByDesign } from './diff-values'

/** Whether a value is what a server writes in the place of a secret. */
export const isMaskText = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:\*{3,}|[[<(*]*(?:redacted|masked|hidden|filtered)[\])>*]*)$/i.test(value)

/** The members of a row that the API of a NoETL server gives; the others it leaves out on purpose (diagnosis-and-parity §6.3, §7.1). */
const OF_THE_API = new Set([
  'execution_id', 'catalog_id', 'parent_execution_id', 'parent_event_id', 'event_id', 'event_type', 'node_id', 'node_name', 'status', 'created_at',
  'timestamp', 'context', 'result', 'error', 'duration',
])
/** What of these the Rust server leaves out as well. */
const NOT_OF_RUST = new Set(['node_id', 'parent_execution_id', 'context', 'parent_event_id', 'duration', 'timestamp'])

/** Columns without a zone, which the API may write with one. */
const TIMES = new Set(['created_at', 'timestamp'])

/** What the server merges into the context of a row beneath what was replied (§6.2). */
const OF_THE_TRANSPORT = new Set(['command_id', 'worker_id', 'request_id'])

/**
 * What explains differences between two layers of a document.
 *
 * @param left, right the whole documents: their servers write different members
 * @see docs/parity.md#by-design
 */
export function byDesignBetween(from: string, to: string, left: ExactJson, right: ExactJson): ByDesign {
  const hasApi = to === 'api' || from === 'api'
  const hasLog = to === 'event_log' || from === 'event_log'
  const isBare = [left, right].some((document) => isObject(document) && Object.keys(document).every((key) => key === 'events'))
  const rust = [left, right].filter((document) => isObject(document) && Object.hasOwn(document, 'started_at')).length
  const isRust = rust > 0
  return (kind, a, b, tokens) => {
    // The API hides secrets that the log holds, and the log has them again.
    if (hasApi && kind !== 'extra' && isMaskText(to === 'api' ? b : a)) return true
    if (isOurRedaction(a, b)) return true
    if (kind === 'changed_value' && tokens.length === 3 && TIMES.has(String(tokens[2])) && isSameTime(a, b)) return true
    // The API writes 0 for a duration that nobody measured.
    if (tokens.length === 3 && tokens[0] === 'events' && tokens[2] === 'duration' && [a, b].every((value) => value == null || (isNumber(value) && doubleOf(value) === 0))) return true
    const isOneSided = kind === 'missing' || kind === 'extra' || kind === 'null_vs_absent'
    if (isOneSided && tokens.length === 3 && tokens[0] === 'events') {
      const key = String(tokens[2])
      // A column that holds nothing is left out by some.
      if (kind === 'null_vs_absent') return true
      if (!OF_THE_API.has(key) || key === 'timestamp') return true
      if (isRust && NOT_OF_RUST.has(key)) return true
    }
    if (kind === 'extra' && from === 'source' && tokens.length === 5 && tokens[3] === 'context' && OF_THE_TRANSPORT.has(String(tokens[4]))) return true
    // What stands around the rows is made by the server that is asked; the log has nothing but rows, and a row for the run.
    if ((hasLog || isBare || rust === 1) && isOneSided && tokens.length === 1 && tokens[0] !== 'events') return true
    // JSON that the log holds as text is given as what it says.
    return from === 'event_log' && to === 'api' && kind === 'stringified_json' && typeof a === 'string'
  }
}

/** Whether two texts are one moment: without a zone it is UTC. Digits behind the milliseconds have to be the same. */
function isSameTime(left: ExactJson | undefined, right: ExactJson | undefined): boolean {
  const [a, b] = [left, right].map((value) => {
    const parts = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(value) : null
    if (parts === null) return null
    const [, day, time, fraction = '', zone = 'Z'] = parts
    const at = Date.parse(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
    return Number.isNaN(at) ? null : `${at} ${fraction.replace(/0+$/, '')}`
  })
  return a !== null && a === b
}

/** Texts that differ in nothing but that secrets were taken out of one, or of both: `[redacted:rule]` stands for any text. */
function isOurRedaction(left: ExactJson | undefined, right: ExactJson | undefined): boolean {
  if (left === undefined || right === undefined) return false
  const [a, b] = [textOf(left), textOf(right)]
  return a !== b && (fitsMarks(a, b) || fitsMarks(b, a))
}

const textOf = (value: ExactJson): string => (typeof value === 'string' ? value : exactJsonText(value))

/** Whether a text is another one with pieces in the place of its marks. */
function fitsMarks(marked: string, text: string): boolean {
  const pieces = marked.split(/\[redacted:[a-z0-9-]+\]/)
  if (pieces.length === 1) return false
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}
