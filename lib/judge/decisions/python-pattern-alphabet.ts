import { contains, type Ranges } from './python-pattern-chars'

// RE2 takes these for word characters, and what follows for none. The latter begin above ASCII and end far below the surrogates.
const WORD_LETTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_', (letter) =>
  letter.charCodeAt(0),
)
const OTHER_LETTERS_FROM = 0x80
const LINE_FEED = 10
// Building a string unit by unit takes four times as long.
const utf16 = new TextDecoder('utf-16le')

/**
 * A small alphabet for one pattern: characters that no set of the pattern tells apart become one letter, in the pattern and in the texts.
 * So RE2 never needs to know what a Unicode word character is: it sees ASCII ones exactly where Python sees one, and its `\b` is Python's.
 */
export interface Alphabet {
  /** The set as a part of an RE2 pattern. */
  spell(set: Ranges): string
  /** The text in letters. A line feed stays one only where the pattern's anchors must see it. */
  translate(text: string): string
}

interface Needs {
  sets: readonly Ranges[]
  /** What `\b` and `\B` of the pattern count as a word; `null` when it has none. */
  word: Ranges | null
  /** Whether anchors see every line feed, or just one that ends the text: what `$` of Python accepts and no anchor of RE2 does. */
  everyLine: boolean
}

/** The alphabet of a pattern, or `null` when `\b` is beside more kinds of word characters than ASCII has. */
export function alphabetOf({ sets, word, everyLine }: Needs): Alphabet | null {
  const { bounds, kinds } = kindsOf([...sets, [[LINE_FEED, LINE_FEED]], ...(word === null ? [] : [word])])
  const letters = new Map<number, number>()
  let words = 0
  for (const [i, kind] of kinds.entries()) {
    if (letters.has(kind)) continue
    if (word === null || !contains(word, bounds[i]!)) letters.set(kind, OTHER_LETTERS_FROM + letters.size)
    else if (words < WORD_LETTERS.length) letters.set(kind, WORD_LETTERS[words++]!)
    else return null
  }
  const letterAt = kinds.map((kind) => letters.get(kind)!)
  const letterOf = (code: number): number => letterAt[placeOf(bounds, code)]!
  const innerFeed = everyLine ? LINE_FEED : letterOf(LINE_FEED)
  const ascii = Uint16Array.from({ length: 128 }, (_, code) =>
    code === LINE_FEED ? innerFeed : letterOf(code),
  )

  return {
    spell(set) {
      const used = new Set<number>()
      for (const [lo, hi] of set)
        for (let i = placeOf(bounds, lo); i < bounds.length && bounds[i]! <= hi; i++) used.add(letterAt[i]!)
      if (used.has(letterOf(LINE_FEED))) used.add(LINE_FEED)
      const spelt = Array.from(used, (letter) => `\\x{${letter.toString(16)}}`)
      return spelt.length === 1
        ? spelt[0]!
        : `[${spelt.length === 0 ? '^\\x{0}-\\x{10ffff}' : spelt.join('')}]`
    },
    translate(text) {
      const bytes = new Uint8Array(2 * text.length)
      let end = 0
      for (let i = 0; i < text.length; i++) {
        let code = text.charCodeAt(i)
        if (code >= 0xd800 && (code = text.codePointAt(i)!) > 0xffff) i++
        const letter = code < 128 ? ascii[code]! : letterOf(code)
        bytes[end++] = letter
        bytes[end++] = letter >> 8
      }
      if (text.endsWith('\n')) bytes.set([LINE_FEED, 0], end - 2)
      return utf16.decode(bytes.subarray(0, end))
    },
  }
}

/** Splits the code points at every bound of a set, and numbers the pieces by the sets that hold them. */
function kindsOf(all: readonly Ranges[]): { bounds: number[]; kinds: number[] } {
  const sets = [...new Map(all.map((set) => [set.join(), set])).values()]
  const bounds = [...new Set([0, ...sets.flat().flatMap(([lo, hi]) => [lo, hi + 1])])].sort((a, b) => a - b)
  const kinds = bounds.map(() => 0)
  let last = 0
  for (const set of sets) {
    const inside = new Map<number, number>()
    for (const [lo, hi] of set) {
      for (let i = placeOf(bounds, lo); i < bounds.length && bounds[i]! <= hi; i++) {
        if (!inside.has(kinds[i]!)) inside.set(kinds[i]!, ++last)
        kinds[i] = inside.get(kinds[i]!)!
      }
    }
  }
  return { bounds, kinds }
}

/** The piece that contains a code point: the last bound that is not above it. */
function placeOf(bounds: readonly number[], code: number): number {
  let low = 0
  let high = bounds.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (bounds[middle]! <= code) low = middle
    else high = middle
  }
  return low
}
