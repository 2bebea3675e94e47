/** What was done to an error text before it was signed, as far as the text shows it. */
export interface ErrorMarks {
  /** Who cut its end off: the hook above 16 KiB, later daemons above 256 characters. */
  cut: 'hook' | 'daemon' | null
  /** Where the text itself ends and the mark of the cut begins. */
  end: number
  /** Places at which something was taken out, in UTF-16 units, the end not included. */
  redacted: { start: number; end: number }[]
}

const HOOK_CUT = '…(truncated)'
const DAEMON_CUT = ' […error truncated]'
const REDACTED = '[REDACTED]'

/**
 * Marks in `outcome.error`. A tool may have written the same words itself: they are shown as marks all the same, since nothing tells them apart.
 *
 * @see docs/sources/receipts.md
 */
export function errorMarks(error: string): ErrorMarks {
  const cut = error.endsWith(DAEMON_CUT) ? 'daemon' : error.endsWith(HOOK_CUT) ? 'hook' : null
  const redacted: ErrorMarks['redacted'] = []
  for (let at = error.indexOf(REDACTED); at !== -1; at = error.indexOf(REDACTED, at + REDACTED.length)) {
    redacted.push({ start: at, end: at + REDACTED.length })
  }
  const markChars = cut === 'daemon' ? DAEMON_CUT.length : cut === 'hook' ? HOOK_CUT.length : 0
  return { cut, end: error.length - markChars, redacted }
}
