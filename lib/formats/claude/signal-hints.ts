import { scanFailureSignals } from './failure-signal'
import { FAILURE_TAG } from './failure-tag'
import type { SignalBreach } from '../../model/failure-signal'

export interface SignalHint {
  breach: SignalBreach
  /** For people, one sentence. */
  text: string
  /** UTF-16 range of the block that it is about, end exclusive. */
  start: number
  end: number
}

/** More blocks than this are not counted. */
const BLOCKS_MAX = 100

/**
 * Breaches of the contract in a text that holds a failure block. The matcher takes such blocks all the same, so these change no verdict: a block
 * that is fenced or quoted may be an example that nobody meant, and of several only the first counts.
 *
 * @see docs/sources/claude-code.md#result-record
 */
export function failureSignalHints(text: string, tag: string = FAILURE_TAG): SignalHint[] {
  const [first, ...more] = scanFailureSignals(text, BLOCKS_MAX, tag)
  if (first === undefined) return []
  const { start, end } = first
  const hints: SignalHint[] = []
  const hint = (breach: SignalBreach, words: string, at: { start: number; end: number } = first): void =>
    void hints.push({ breach, text: words, start: at.start, end: at.end })
  if (isFenced(text, start))
    hint('fenced', 'The failure block is in a code fence. It counts, but may be an example.')
  else if (isQuoted(text, start, end))
    hint('quoted', 'The failure block is quoted or in other markup. It counts, but may be an example.')
  if (first.reason === null) hint('no_reason', 'The failure block gives no reason.')
  const second = more[0]
  if (second)
    hint(
      'repeated',
      `There are ${more.length + 1 >= BLOCKS_MAX ? `${BLOCKS_MAX} or more` : more.length + 1} failure blocks. Only the first one counts.`,
      second,
    )
  return hints
}

/** A line that opens or closes a fence, inside of a quotation too. */
const FENCE = /^[ \t>]*(`{3,}|~{3,})/

/** Whether a fence is open where the block begins; a closing fence is at least as long as the opening one and has nothing behind it. */
function isFenced(text: string, start: number): boolean {
  let open = ''
  for (const line of text.slice(0, start).split('\n')) {
    const [whole, marks] = FENCE.exec(line) ?? []
    if (marks === undefined) continue
    if (open === '') open = marks
    else if (marks.startsWith(open) && line.slice(whole!.length).trim() === '') open = ''
  }
  return open !== ''
}

const MARKUP = /[`*_"'“”„‘’«»]$/
const MARKUP_AFTER = /^[`*_"'“”„‘’«»]/

/** Marks on both sides of it, a line of a quotation, or a back-tick that is open before it. */
function isQuoted(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  if (/^\s*>/.test(before) || (before.split('`').length - 1) % 2 === 1) return true
  return MARKUP.test(before.trimEnd()) && MARKUP_AFTER.test(text.slice(end, end + 20).trimStart())
}
