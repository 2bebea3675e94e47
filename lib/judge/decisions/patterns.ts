import { compilePythonPattern } from './python-pattern'
import { type Ranges, UNICODE_CLASSES } from './python-pattern-chars'

export interface PatternFinding {
  pattern: string
  /** `invalid`: Python does not compile it; `differs`: Python does, and our engine cannot tell. Both say why. */
  state: 'found' | 'missing' | 'invalid' | 'differs'
  why?: string
}

const spelt = (set: Ranges): string =>
  set.map(([lo, hi]) => `\\u{${lo.toString(16)}}-\\u{${hi.toString(16)}}`).join('')
const { w, s } = UNICODE_CLASSES
// Spelt out, since JavaScript has other white space and other letters than Python. Three searches in place of one expression, which
// would overflow the stack of the engine on a name of ten million letters.
const NAME_START = new RegExp(`\\*[${spelt(w)}]`, 'gu')
const NO_NAME = new RegExp(`[^${spelt(w)}\\-]`, 'gu')
const NO_SPACE = new RegExp(`[^${spelt(s)}]`, 'gu')

/** Index of the next match at or behind `from`, or the length of the text. */
function next(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from
  return expression.exec(text)?.index ?? text.length
}

/**
 * Takes the asterisks off a name that is given a value: `**name** = …` and `*name*=…` read like `name = …`. One or two on either side,
 * a word character first, then word characters and hyphens; nothing else is touched.
 *
 * @see docs/sources/decisions.md
 */
export function normaliseMarkdown(text: string): string {
  let plain = ''
  let done = 0
  for (
    let star = next(NAME_START, text, 0), end = 0;
    star < text.length;
    star = next(NAME_START, text, end)
  ) {
    end = next(NO_NAME, text, star + 1)
    const stars = text.startsWith('**', end) ? 2 : 1
    if (text[end] !== '*' || text[next(NO_SPACE, text, end + stars)] !== '=') continue
    plain += text.slice(done, text[star - 1] === '*' ? star - 1 : star) + text.slice(star + 1, end)
    done = end + stars
  }
  return plain + text.slice(done)
}

/**
 * Searches every pattern on its own, in the text with its Markdown taken off.
 *
 * @param as.written search the text as it is (the synthesis of artifact lines does)
 */
export function findPatterns(
  patterns: readonly string[],
  text: string,
  as: { written?: boolean } = {},
): PatternFinding[] {
  const searched = as.written === true ? text : normaliseMarkdown(text)
  return patterns.map((source) => findPattern(source, searched))
}

function findPattern(source: string, text: string): PatternFinding {
  const pattern = compilePythonPattern(source)
  if (pattern.kind === 'invalid') return { pattern: source, state: 'invalid', why: pattern.why }
  if (pattern.kind === 'engine_differs') return { pattern: source, state: 'differs', why: pattern.why }
  const state = pattern.search(text)
  return {
    pattern: source,
    state,
    ...(state === 'differs' ? { why: 'the text is too long for a pattern of this size' } : {}),
  }
}

/** Whether the output contains what was asked for; no patterns ask for nothing. What is invalid, or cannot be searched, is not found. */
export const allFound = (findings: readonly PatternFinding[]): boolean =>
  findings.every(({ state }) => state === 'found')
