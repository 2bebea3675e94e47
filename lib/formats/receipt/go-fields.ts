import { isTooDeep } from '../../text/json-depth'
import { membersOf } from '../claude/span'

/** What a field of the reference's structures takes: a text, true or false, or any JSON, kept as its text. */
type FieldKind = 'text' | 'flag' | 'json'

type FieldValues<Kinds extends Record<string, FieldKind>> = {
  [Name in keyof Kinds]: Kinds[Name] extends 'flag'
    ? boolean
    : Kinds[Name] extends 'json'
      ? string | null
      : string
}

/** Deepest nesting that the reference's decoder reads. */
const goDepthMax = 10_000

/**
 * Reads an object as the reference's decoder (Go's `encoding/json`) reads it into a structure: names match without regard to case, of equal ones
 * the last counts, `null` leaves a text or flag as it was, a lone surrogate becomes U+FFFD, and one value of a wrong type refuses the whole.
 *
 * @returns every field, empty where nothing was sent (`json`: null); null when the text is no JSON, no object, or refused. The JSON text `null`
 *          is an object without fields.
 * @see docs/sources/receipts.md#receipt-hook
 */
export function readGoFields<Kinds extends Record<string, FieldKind>>(
  text: string,
  kinds: Kinds,
): FieldValues<Kinds> | null {
  if (!isJson(text)) return null
  const values: Record<string, string | boolean | null> = {}
  const names = new Map<string, string>()
  for (const [name, kind] of Object.entries(kinds)) {
    values[name] = kind === 'text' ? '' : kind === 'flag' ? false : null
    names.set(foldName(name), name)
  }
  const members = text.trim() === 'null' ? [] : membersOf(text)
  if (members === null) return null
  for (const { key, value } of members) {
    const name = names.get(foldName(key))
    if (name === undefined) continue
    const kind = kinds[name]
    if (kind === 'json') values[name] = value
    else if (value !== 'null') {
      if (kind === 'text' ? !value.startsWith('"') : value !== 'true' && value !== 'false') return null
      values[name] = kind === 'text' ? textOf(value) : value === 'true'
    }
  }
  return values as FieldValues<Kinds>
}

/** The value of a JSON text that is a string. */
export const textOf = (json: string): string => (JSON.parse(json) as string).toWellFormed()

/** A name as the decoder compares it. Two letters outside ASCII stand for one within: the long s and the Kelvin sign. */
const foldName = (name: string): string =>
  name.replace(/[a-z\u017f\u212a]/g, (letter) => outsideAscii[letter] ?? letter.toUpperCase())

const outsideAscii: Record<string, string> = { '\u017f': 'S', '\u212a': 'K' }

function isJson(text: string): boolean {
  if (isTooDeep(text, goDepthMax)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
