import { findPrivateKeys } from '../../text/redaction/own-rules'

/** A line of one side of a hunk, without its first character. */
export interface SideLine<Place> {
  place: Place
  text: string
}

/** A key is not longer; what follows is looked at as if it were cut here. */
const KEY_CHARS_MAX = 20_000
/** Lines that are remembered in case the end of a key follows, of which the beginning is not in the hunk. */
const TAIL_LINES_MAX = 400
const KEY_BEGINS = /-----BEGIN\s?(?:[A-Z0-9]+\s)*PRIVATE KEY/
const KEY_ENDS = /-----END\s?(?:[A-Z0-9]+\s)*PRIVATE KEY/
const KEY_LINE = /^\s*[A-Za-z0-9+/=]{16,}\s*$/

/**
 * Finds private keys of several lines: lines are passed one after the other, in the order of the file, and those of a key come back, from its
 * first line to its last. Each line is looked at once or twice, however many keys begin.
 */
export function keyLines<Place>(tell: (place: Place) => void): {
  add: (line: SideLine<Place>) => void
  end: () => void
} {
  let [open, chars] = [[] as SideLine<Place>[], 0]
  let tail: SideLine<Place>[] = []
  const settle = (): void => {
    const text = open.map((line) => line.text).join('\n')
    const keys = open.length > 0 ? findPrivateKeys(text) : []
    let at = 0
    for (const line of open) {
      const end = at + line.text.length
      if (keys.some((key) => key.start < end && at < key.end)) tell(line.place)
      at = end + 1
    }
    ;[open, chars] = [[], 0]
  }
  return {
    add(line) {
      if (KEY_BEGINS.test(line.text)) settle()
      else if (open.length === 0) {
        if (KEY_ENDS.test(line.text) && tail.length > 0) for (const one of [...tail, line]) tell(one.place)
        if (!KEY_LINE.test(line.text)) tail = []
        else if (tail.push(line) > TAIL_LINES_MAX) tail.shift()
        return
      }
      tail = []
      open.push(line)
      chars += line.text.length + 1
      if (KEY_ENDS.test(line.text) || chars > KEY_CHARS_MAX) settle()
    },
    end: settle,
  }
}
