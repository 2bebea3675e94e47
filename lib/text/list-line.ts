import { capText } from './cap-text'
import { ownCopy } from './own-copy'

/** White space other than single blanks, and whole runs of it: single blanks are many, and stay as they are. */
const UNEVEN = /[^\S ]| {2}/
const UNEVEN_RUNS = / *[^\S ]\s*| {2,}/g

/** One line of at most 200 characters: white space runs become one blank; what was cut ends with an ellipsis. */
export function listLine(text: string, max = 200): string {
  // Only the head is looked at: a record may hold megabytes, and its line in a list holds 200 characters.
  const head = text.length > max * 2 ? ownCopy(text.slice(0, max * 2)) : text
  const line = (UNEVEN.test(head) ? head.replace(UNEVEN_RUNS, ' ') : head).trim()
  if (line.length <= max && head.length === text.length) return line
  return `${capText(line, max - 1).trimEnd()}…`
}
