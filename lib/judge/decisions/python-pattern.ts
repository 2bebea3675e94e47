import { RE2JS, RE2JSException } from 're2js'
import { limits } from '@/lib/limits'
import { type Alphabet, alphabetOf } from './python-pattern-alphabet'
import { ASCII_CLASSES, UNICODE_CLASSES } from './python-pattern-chars'
import { type Part, partsOf, type Place, sizeOf } from './python-pattern-parts'
import { readPythonPattern } from './python-pattern-syntax'

/** `differs`: pattern and text together are more work than a search may be (`limits.patternWorkMax`). */
export type SearchAnswer = 'found' | 'missing' | 'differs'

export type PythonPattern =
  | { kind: 'ok'; search(text: string): SearchAnswer }
  | { kind: 'invalid'; why: string }
  | { kind: 'engine_differs'; why: string }

const cache = new Map<string, PythonPattern>()

/**
 * A pattern from outside with the meaning of `re.search(pattern, text)` in Python 3.12, without flags, searched by RE2: in time linear in
 * the text, whatever the pattern. `invalid` is what Python does not compile, `engine_differs` what it compiles and RE2 cannot search.
 * Never throws, also on lone surrogates. The compiled patterns that were used last are kept.
 *
 * @see docs/sources/decisions.md
 */
export function compilePythonPattern(source: string): PythonPattern {
  if (source.length > limits.patternCharsMax)
    return differs(`it is longer than ${limits.patternCharsMax} characters`)
  const kept = cache.get(source)
  const pattern = kept ?? compile(source)
  cache.delete(source)
  cache.set(source, pattern)
  if (cache.size > limits.patternsKeptMax) cache.delete(cache.keys().next().value!)
  return pattern
}

const differs = (why: string): PythonPattern => ({ kind: 'engine_differs', why })

function compile(source: string): PythonPattern {
  const syntax = readPythonPattern(source)
  if (syntax.kind === 'invalid') return syntax
  if (syntax.kind === 'too_deep') return differs(`its groups are more than ${limits.patternDepthMax} deep`)
  if (syntax.foreign !== null) return differs(syntax.foreign)

  const parts = [...partsOf(syntax.pattern)]
  const size = sizeOf(syntax.pattern)
  if (size > limits.patternSizeMax)
    return differs(`its repeats make it longer than ${limits.patternSizeMax} steps`)

  const places = new Set(parts.flatMap((part) => (part.kind === 'place' ? [part.place] : [])))
  const everyLine = places.has('lineStart') || places.has('lineEnd')
  if (everyLine && places.has('end'))
    return differs('RE2 has no $ for the end of the text beside ^ or $ for lines')
  const boundaries = new Set(parts.flatMap((part) => (isBoundary(part) ? [part.ascii] : [])))
  if (boundaries.size > 1) return differs('RE2 has no \\b for Unicode beside \\b for ASCII')
  const [ascii] = boundaries
  const word = ascii === undefined ? null : (ascii ? ASCII_CLASSES : UNICODE_CLASSES).w
  const alphabet = alphabetOf({
    sets: parts.flatMap((part) => (part.kind === 'set' ? [part.set] : [])),
    word,
    everyLine,
  })
  if (alphabet === null) return differs('RE2 has no \\b beside that many kinds of word characters')

  try {
    const search = engine(syntax.pattern, alphabet)
    // Python's \B does not hold in an empty text, though there is no boundary in it.
    const searchEmpty = places.has('notBoundary')
      ? engine(syntax.pattern, alphabet, { notBoundary: alphabet.spell([]) })
      : search
    return {
      kind: 'ok',
      search(text) {
        if (text.length * size > limits.patternWorkMax) return 'differs'
        return (text === '' ? searchEmpty : search)(alphabet.translate(text)) ? 'found' : 'missing'
      },
    }
  } catch (error) {
    if (error instanceof RE2JSException) return differs(`RE2 does not take it: ${error.message}`)
    throw error
  }
}

const isBoundary = (part: Part): part is Part & { kind: 'place' } =>
  part.kind === 'place' && (part.place === 'boundary' || part.place === 'notBoundary')

/** With line feeds translated by the alphabet, `(?m:$)` is each of Python's two: before the last line feed, or before every one. */
const PLACES: Record<Place, string> = {
  textStart: '\\A',
  lineStart: '(?m:^)',
  end: '(?m:$)',
  lineEnd: '(?m:$)',
  textEnd: '\\z',
  boundary: '\\b',
  notBoundary: '\\B',
}

function engine(
  pattern: Part,
  alphabet: Alphabet,
  odd: Partial<Record<Place, string>> = {},
): (text: string) => boolean {
  const places = { ...PLACES, ...odd }
  const spell = (part: Part): string => {
    if (part.kind === 'set') return alphabet.spell(part.set)
    if (part.kind === 'place') return places[part.place]
    if (part.kind === 'sequence') return part.parts.map(spell).join('')
    if (part.kind === 'choice') return `(?:${part.parts.map(spell).join('|')})`
    if (part.kind === 'repeat') return `(?:${spell(part.body)})${times(part.from, part.to)}`
    return part.kind === 'group' ? `(?:${spell(part.body)})` : ''
  }
  const compiled = RE2JS.compile(spell(pattern))
  // Each pattern keeps the states it has built; eight megabytes of them, as the package has it, are too many for a cache of patterns.
  const { dfa } = compiled.re2()
  dfa.stateBudget = dfa.memBudget = limits.patternStateBytesMax
  return (text) => compiled.test(text)
}

function times(from: number, to: number): string {
  if (to === Infinity) return from === 0 ? '*' : `{${from},}`
  return from === to ? `{${from}}` : `{${from},${to}}`
}
