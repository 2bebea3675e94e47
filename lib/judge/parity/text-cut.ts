const MARKS = ['... (truncated)', '...[truncated]', '…', '...']
const MARKED_CHARS_MIN = 8
const BARE_CHARS_MIN = 32

/** Whether one of two texts is the other, cut: with a mark behind at least 8 characters, or without one behind at least 32. */
export const isCut = (a: string, b: string): boolean => isCutOf(a, b) || isCutOf(b, a)

function isCutOf(cut: string, whole: string): boolean {
  if (isLongPrefix(cut, whole, BARE_CHARS_MIN)) return true
  return MARKS.some(
    (mark) => cut.endsWith(mark) && isLongPrefix(cut.slice(0, -mark.length), whole, MARKED_CHARS_MIN),
  )
}

const isLongPrefix = (prefix: string, whole: string, charsMin: number): boolean =>
  prefix.length < whole.length &&
  prefix.length >= charsMin &&
  whole.startsWith(prefix) &&
  charsUpTo(prefix, charsMin) >= charsMin

/** Characters of a text, counted up to a number of them: those of the higher planes take two units. */
function charsUpTo(text: string, max: number): number {
  let count = 0
  for (const _ of text) if (++count === max) break
  return count
}

/** What the preview of a deep value puts in its place. */
export const isDepthSummary = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:dict\(\d+ keys\)|list\(\d+ items\))$/.test(value)

/** What the preview of a long list ends with. */
export const isListTail = (value: unknown): boolean =>
  typeof value === 'string' && /^\.\.\. \d+ more$/.test(value)
