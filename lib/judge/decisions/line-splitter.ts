import { LINE_END } from './python-text'

export interface LineSplitter {
  /** The next piece, cut anywhere. */
  push(text: string): void
  /** The line that nothing ended. */
  finish(): void
}

/**
 * Cuts text that comes in pieces into lines, by every line end there is. A CRLF that is cut in two makes a blank line more, which means
 * nothing to those who skip blank lines.
 *
 * @param onLine   the line without its end, and that end
 * @param charsMax longer lines are dropped
 * @param onLong   called with each of those
 */
export function createLineSplitter(
  onLine: (line: string, end: string) => void,
  charsMax: number,
  onLong: () => void,
): LineSplitter {
  let pieces: string[] = []
  let length = 0
  const hold = (piece: string): void => {
    length += piece.length
    if (length <= charsMax) pieces.push(piece)
    else pieces = []
  }
  const release = (end: string): void => {
    if (length > charsMax) onLong()
    else onLine(pieces.length === 1 ? pieces[0]! : pieces.join(''), end)
    pieces = []
    length = 0
  }
  return {
    push(text) {
      let from = 0
      for (const found of text.matchAll(LINE_END)) {
        hold(text.slice(from, found.index))
        release(found[0])
        from = found.index + found[0].length
      }
      if (from < text.length) hold(text.slice(from))
    },
    finish: () => release(''),
  }
}
