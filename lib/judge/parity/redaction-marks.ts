import type { ExactJson } from '../../text/exact-json'
import { isNumber } from '../../text/exact-number'
import { isOnContract, placeOfDiagnosis } from './severity'

/**
 * Whether one of two values is the other with secrets taken out of it by us: the same text around the marks, and in the place of each something that its rule takes
 * out. What was lost whole is not explained by a mark: an agent can write one too.
 *
 * @param isOurs of which of the two we keep the text, and redacted it
 * @param tokens where they are
 */
export const isOurRedaction = (
  values: readonly [ExactJson | undefined, ExactJson | undefined],
  isOurs: readonly [boolean, boolean],
  tokens: readonly (string | number)[],
): boolean =>
  (
    [
      [0, 1],
      [1, 0],
    ] as const
  ).some(([marked, other]) => isOurs[marked] && isRedacted(values[marked], values[other], tokens))

function isRedacted(
  marked: ExactJson | undefined,
  other: ExactJson | undefined,
  tokens: readonly (string | number)[],
): boolean {
  if (typeof marked !== 'string' || placeOfDiagnosis(tokens) === 'at') return false
  // A number that names an account leaves a text.
  if (isNumber(other)) return marked === '[redacted:account]' && !isOnContract(tokens)
  return typeof other === 'string' && fitsMarks(marked, other)
}

/** Places that are looked at for the end of what a mark stands for: secrets seldom hold what is behind them. */
const ATTEMPTS_MAX = 16

/** Whether a text is another one with pieces in the place of its marks. */
function fitsMarks(marked: string, text: string): boolean {
  const parts = marked.split(/\[redacted:([a-z0-9-]+)\]/)
  if (parts.length === 1) return false
  const [first, last] = [parts[0]!, parts.at(-1)!]
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (let i = 1; i < parts.length - 2; i += 2) {
    const after = parts[i + 1]!
    let next = text.indexOf(after, at + 1)
    for (let attempts = 1; !isTakenOut(parts[i]!, text.slice(at, Math.max(next, at))); attempts++) {
      if (next === -1 || attempts === ATTEMPTS_MAX) return false
      next = text.indexOf(after, next + 1)
    }
    at = next + after.length
  }
  return at < end && isTakenOut(parts.at(-2)!, text.slice(at, end))
}

/** Whether a rule could take a piece out of a text. Not more than its form is looked at: rules change. */
function isTakenOut(rule: string, piece: string): boolean {
  if (piece === '') return false
  if (/^\[redacted:[a-z0-9-]+\]$/.test(piece)) return true
  if (/^\s*[[{]/.test(piece) && piece.includes('"diagnosis"')) return false
  if (rule === 'account') return true
  if (rule === 'mail') return /^[^\s@]+@[^\s@]+$/.test(piece)
  return rule === 'privatekey' || rule === 'gcp'
    ? piece.includes('PRIVATE KEY')
    : /^[^\s[{]\S{2,}$/.test(piece)
}
