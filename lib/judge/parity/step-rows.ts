import { eventIdOf, eventTypeOf, rowsOf } from '../../formats/noetl/event-row'
import { exactJsonText, isObject, member, type ExactJson, type ExactObject } from '../../text/exact-json'
import type { FormInput } from './compare-forms'
import { issuesOf, resultObject, stepPairs, type NestedKeyIssue } from './nested-key-parity'

/** What the source's own check found in a row of a run, and which row. */
export interface RowIssue extends NestedKeyIssue {
  step: string
  eventType: string
  /** Null: the row has none. */
  eventId: string | null
  /** Place of the row in the list of the run. */
  row: number
}

/**
 * What later rows of a step lost of the result of its first one, by the source's own check, as two layers of one form: only what is lost is in them, at the
 * place of the later row. The check reports every object in a list, whether it is lost or not: one that is there is left out here.
 *
 * @returns null where nothing was lost
 */
export function stepRowsForm(document: ExactJson): { form: FormInput; issues: RowIssue[] } | null {
  const rows = rowsOf(document)
  const held = rows.map((): ExactObject => ({}))
  const lacking = rows.map((): ExactObject => ({}))
  const issues: RowIssue[] = []
  const places = new Map(rows.map((row, place) => [row, place]))
  for (const pair of stepPairs(rows)) {
    const row = places.get(pair.later)!
    const known: string[] = []
    for (const issue of issuesOf(pair)) {
      const tokens = issue.path.split('.')
      const left = valueAt({ result: resultObject(pair.first) }, tokens)
      const right = valueAt({ result: resultObject(pair.later) }, tokens)
      const lost = lostOf(issue, left, right)
      // What is lost within something that is lost is told by that.
      if (lost === null || known.some((path) => issue.path.startsWith(`${path}.`))) continue
      known.push(...lost.paths)
      put(held[row]!, tokens, lost.from)
      put(lacking[row]!, tokens, lost.to)
      const [step, eventType, id] = [pair.step, eventTypeOf(pair.later), eventIdOf(pair.later)]
      issues.push({ ...issue, step, eventType, eventId: id === null ? null : String(id), row })
    }
  }
  if (issues.length === 0) return null
  const textOf = (found: ExactObject[]): string =>
    exactJsonText({ events: rows.map((row, i): ExactJson => ({ ...idOf(row), ...found[i] })) })
  return {
    form: {
      form: 'steps',
      layers: [
        { layer: 'first_row', text: textOf(held) },
        { layer: 'later_rows', text: textOf(lacking) },
      ],
    },
    issues,
  }
}

interface Lost {
  from: ExactJson
  to: ExactJson | undefined
  /** Places that are gone with everything below them. */
  paths: string[]
}

/** What was there and what is left of it; null where nothing is known to be lost. */
function lostOf(
  { code, path }: NestedKeyIssue,
  left: ExactJson | undefined,
  right: ExactJson | undefined,
): Lost | null {
  if (!isObject(left)) return null
  if (code !== 'NESTED_DICT_KEY_LOSS')
    return isObject(right) ? null : { from: left, to: right, paths: [path] }
  if (!isObject(right)) return null
  // An object that is gone is reported by itself.
  const gone = Object.entries(left).filter(([key, value]) => !Object.hasOwn(right, key) && !isObject(value))
  return gone.length === 0
    ? null
    : {
        from: Object.fromEntries(gone) as ExactObject,
        to: {},
        paths: gone.map(([key]) => `${path}.${key}`),
      }
}

const idOf = (row: ExactJson): ExactObject => {
  const id = member(row, 'event_id')
  return id === undefined ? {} : { event_id: id }
}

/** Through objects and lists; a key that contains a dot is not found. */
const valueAt = (value: ExactJson, tokens: readonly string[]): ExactJson | undefined =>
  tokens.reduce<ExactJson | undefined>(
    (one, token) => (Array.isArray(one) ? one[Number(token)] : member(one, token)),
    value,
  )

/** Objects stand for lists too: only the place counts. */
function put(into: ExactObject, tokens: readonly string[], value: ExactJson | undefined): void {
  const [token, ...rest] = tokens
  if (rest.length === 0) {
    if (value !== undefined) into[token!] = value
    return
  }
  const below = into[token!]
  const object: ExactObject = isObject(below) ? below : {}
  into[token!] = object
  put(object, rest, value)
}
