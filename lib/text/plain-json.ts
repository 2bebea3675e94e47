import { parseExactJson } from './exact-json'

/** What is in the place of a text that is empty. */
export const EMPTY_TEXT = 'empty text'

/** The text that a JSON value is copied and shown as: a text without its quotes, all else as it was written. */
export function plainText(json: string): string {
  const read = parseExactJson(json)
  return read.ok && typeof read.value === 'string' ? read.value : json
}
