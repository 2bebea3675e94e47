import { scanFailureSignals } from './failure-signal'
import { FAILURE_TAG } from './failure-tag'
import type { SignalHint } from '../../model/failure-signal'

/** A breach, with the UTF-16 range of the block that it is about, end exclusive. */
interface FoundHint extends SignalHint {
  start: number
  end: number
}

/** More blocks than this are not counted. */
const BLOCKS_MAX = 100

/**
 * Breaches of the contract in a text that contains a failure block. The matcher takes such blocks all the same, so these change no verdict: a block
 * that is fenced or quoted may be an example that nobody meant, and of several only the first counts.
 *
 * @see docs/sources/claude-code.md#result-record
 */
export function failureSignalHints(text: string, tag: string = FAILURE_TAG): FoundHint[] {
  const [first, ...more] = scanFailureSignals(text, BLOCKS_MAX, tag)
  if (first === undefined) return []
  const { start, end } = first
  const hints: FoundHint[] = []
  if (isFenced(text, start)) hints.push({ breach: 'fenced', start, end })
  else if (isQuoted(text, start, end)) hints.push({ breach: 'quoted', start, end })
  if (first.reason === null) hints.push({ breach: 'no_reason', start, end })
  const second = more[0]
  if (second) {
    const count = more.length + 1
    hints.push({
      breach: 'repeated',
      blocks: { count, more: count >= BLOCKS_MAX },
      start: second.start,
      end: second.end,
    })
  }
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
