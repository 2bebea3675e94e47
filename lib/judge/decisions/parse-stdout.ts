import { limits } from '../../limits'
import { createLineSplitter } from './line-splitter'
import { isBlank, strip } from './python-text'
import type { Session } from './session'
import { StdoutRecords } from './stdout-records'

/** A record that contains a raw line separator inside a text is cut there, and both halves are lost: the source of the rules does so too. */
export type ParseWarning = 'record_split_by_line_separator'

export interface ParsedStdout {
  session: Session
  /** Nothing but white space was printed. */
  blank: boolean
  /** What the source of the rules would have raised, in words; what could be read is in the session all the same. */
  raises: string | null
  warnings: ParseWarning[]
  /** Absolute paths that calls wrote to or named in a shell, in their order. */
  paths: { tool: string; path: string }[]
  /** More than we hold was needed to tell: the session is not to be judged. */
  tooLong: boolean
}

export interface StdoutParser {
  /** The next piece of the output, cut anywhere. */
  push(text: string): void
  finish(): ParsedStdout
}

/** Line ends that are inside the texts of records too. */
const isInnerEnd = (end: string): boolean => end === '\x85' || end === '\u2028' || end === '\u2029'

/**
 * Reads the output of a run into a session; how it is cut into pieces makes no difference. Of the output itself only what is still
 * needed is held: all of it until a result record was seen, and what the agent said and called, each up to `limits.stdoutHeldMax` characters.
 *
 * @see docs/sources/decisions.md
 */
export function createStdoutParser(): StdoutParser {
  const records = new StdoutRecords()
  const warnings = new Set<ParseWarning>()
  let whole: string[] = []
  let wholeChars = 0
  let blank = true
  let longLine = false
  let behindInnerEnd = false
  const lines = createLineSplitter(
    (line, end) => {
      const isJson = records.line(strip(line))
      if (!isJson && (behindInnerEnd || isInnerEnd(end))) warnings.add('record_split_by_line_separator')
      behindInnerEnd = isInnerEnd(end)
    },
    limits.stdoutHeldMax,
    () => (longLine = true),
  )
  return {
    push(text) {
      if (blank) blank = isBlank(text)
      lines.push(text)
      wholeChars += text.length
      if (records.hasResult || wholeChars > limits.stdoutHeldMax) whole = []
      else whole.push(text)
    },

    finish() {
      lines.finish()
      if (blank)
        return { session: emptyOutput(), blank, raises: null, warnings: [], paths: [], tooLong: false }
      const raw = whole.join('')
      if (!records.hasResult) records.document(raw)
      const session = records.session(raw)
      const lostWhole = !records.hasResult && wholeChars > limits.stdoutHeldMax
      return {
        session,
        blank,
        raises: records.raises,
        warnings: [...warnings],
        paths: records.paths,
        tooLong: lostWhole || longLine || records.tooLong,
      }
    },
  }
}

const emptyOutput = (): Session => ({
  subtype: 'empty_output',
  isError: true,
  result: '',
  sessionId: '',
  errors: [],
  tokenUsage: null,
  assistantMessages: [],
  toolUses: [],
  exhaustedFlag: false,
})
