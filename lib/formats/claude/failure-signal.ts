import { FAILURE_TAG } from './failure-tag'

/**
 * White space as the original matcher knows it. JavaScript's own class differs in two places
 * (it takes U+FEFF and leaves out U+0085), so it is spelled out.
 */
const isSpace = (code: number): boolean =>
  (code >= 0x09 && code <= 0x0d) ||
  code === 0x20 ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000

/** Removes white space of that class at both ends, and nothing else. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** ASCII letters only: the Kelvin sign is no `k`, and no letter changes its length. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export interface FailureSignal {
  /** What the agent gave as its reason; `null` for the self-closing form and for an empty one. */
  reason: string | null
  /** UTF-16 range of the block in the text, end exclusive. */
  start: number
  end: number
}

/**
 * Finds the first complete failure block in a text: `<tag>reason</tag>` or `<tag/>`, leftmost first.
 * An opening tag that nothing closes is none, and the search continues behind it. Time is linear in the text,
 * also for a text of nothing but opening tags.
 *
 * @see docs/sources/claude-code.md#result-record
 */
export const scanFailureSignal = (text: string, tag: string = FAILURE_TAG): FailureSignal | null =>
  scanFailureSignals(text, 1, tag)[0] ?? null

/** The first complete blocks, at most `most`: behind the end of each the search begins anew. The text is folded and walked once. */
export function scanFailureSignals(text: string, most: number, tag: string = FAILURE_TAG): FailureSignal[] {
  const opening = `<${lower(tag)}`
  // Nearly no text contains the tag; a copy in lower case is made only for one that has its first letters.
  if (text.length < opening.length || !new RegExp(`<${escapePattern(tag)}`, 'i').test(text)) return []
  const folded = lower(text)
  const closing = `</${lower(tag)}>`
  // The closing tag does not depend on the place, so its last place answers "none from here on" once for all.
  const lastClosing = folded.lastIndexOf(closing)
  const found: FailureSignal[] = []
  let next = 0
  for (
    let start = folded.indexOf(opening);
    start >= 0 && found.length < most;
    start = folded.indexOf(opening, next)
  ) {
    let at = start + opening.length
    next = start + 1
    while (at < text.length && isSpace(text.charCodeAt(at))) at++
    if (text.startsWith('/>', at)) found.push({ reason: null, start, end: (next = at + 2) })
    if (text[at] !== '>' || lastClosing < at + 1) continue
    const close = folded.indexOf(closing, at + 1)
    const reason = trimSpace(text.slice(at + 1, close))
    found.push({ reason: reason === '' ? null : reason, start, end: (next = close + closing.length) })
  }
  return found
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
