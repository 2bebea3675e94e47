const TAKEN_OUT = '[redacted]'
/** The tool takes out no shorter values. */
const SECRET_CHARS_MIN = 4

/**
 * What the tool took out of a text, found by laying it beside the same text with `[redacted]` in its place. What is between two such places can be
 * matched in more than one way where it occurs in a secret too: both readings count then.
 *
 * @returns null when the two are not the same text
 */
export function secretsBetween(plain: string, redacted: string): string[] | null {
  if (!redacted.includes(TAKEN_OUT)) return plain === redacted ? [] : null
  const pieces = redacted.split(TAKEN_OUT)
  const readings = [match(plain, pieces, 'earliest'), match(plain, pieces, 'latest')]
  const found = new Set(readings.flatMap((reading) => reading ?? []))
  return found.size === 0 ? null : [...found]
}

/** The texts between the pieces; null when the pieces do not fit. */
function match(plain: string, pieces: readonly string[], how: 'earliest' | 'latest'): string[] | null {
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  if (!plain.startsWith(first) || !plain.endsWith(last) || plain.length < first.length + last.length)
    return null
  const inner = pieces.slice(1, -1)
  const end = plain.length - last.length
  const places: { start: number; end: number }[] = []
  if (how === 'earliest') {
    let at = first.length
    for (const piece of inner) {
      const start = plain.indexOf(piece, at + SECRET_CHARS_MIN)
      if (start === -1) return null
      places.push({ start, end: start + piece.length })
      at = start + piece.length
    }
  } else {
    let at = end
    for (const piece of inner.toReversed()) {
      const start = plain.lastIndexOf(piece, at - SECRET_CHARS_MIN - piece.length)
      if (start === -1 || at - SECRET_CHARS_MIN - piece.length < 0) return null
      places.unshift({ start, end: start + piece.length })
      at = start
    }
  }
  const starts = [first.length, ...places.map((place) => place.end)]
  const ends = [...places.map((place) => place.start), end]
  const secrets = starts.map((start, i) => plain.slice(start, ends[i]))
  return secrets.every((secret) => secret.length >= SECRET_CHARS_MIN) ? secrets : null
}
