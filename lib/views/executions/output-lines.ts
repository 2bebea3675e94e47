import { decisiveLine } from '../../text/decisive-line'
import { cutAtWord, visible, withoutAnsi } from '../../text/visible'

/** A line of an output, made visible; the decisive one says why the call failed. */
export interface OutputLine {
  text: string
  decisive: boolean
}

export interface OutputLines {
  lines: OutputLine[]
  /** Lines that are not shown. */
  before: number
  after: number
}

const LINE_CHARS_MAX = 300
const LINES_BEFORE = 2

/** The lines of an error text around the one that says why. Terminal colours are taken out, and what else could act on a screen is made visible. */
export function outputLines(text: string, linesMax: number): OutputLines {
  const decisive = decisiveLine(text)
  const all = text.replace(/\s+$/, '').split('\n')
  const at = decisive === null ? 0 : countLines(text, decisive.start)
  const until = decisive === null ? -1 : countLines(text, Math.max(decisive.start, decisive.end - 1))
  // Without empty lines at the front, and with as many lines as there are places.
  const start = Math.max(0, Math.min(at - LINES_BEFORE, all.length - linesMax))
  const end = Math.min(all.length, start + linesMax)
  return {
    lines: all.slice(start, end).map((line, i) => ({
      text: cutAtWord(visible(withoutAnsi(line)).trimEnd(), LINE_CHARS_MAX),
      decisive: start + i >= at && start + i <= until,
    })),
    before: start,
    after: all.length - end,
  }
}

const countLines = (text: string, until: number): number => text.slice(0, until).split('\n').length - 1
