import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test, vi } from 'vitest'
import { limits } from '@/lib/limits'
import { compilePythonPattern } from './python-pattern'
import cases from './python-pattern.cases.json'

const answer = (pattern: string, text: string): string => {
  const compiled = compilePythonPattern(pattern)
  return compiled.kind === 'ok' ? compiled.search(text) : compiled.kind
}
const whyNot = (pattern: string): string => {
  const compiled = compilePythonPattern(pattern)
  return compiled.kind === 'ok' ? 'ok' : compiled.why
}
const seen = (text: string): string => JSON.stringify(text)

// Kinds and answers are those of Python 3.12.1: `re.compile(pattern)`, then `bool(re.search(pattern, text))` for every text.
describe('a pattern means what it means to Python', () => {
  test.each(cases)('$name: $pattern', ({ pattern, kind, found = [], missing = [] }) => {
    const compiled = compilePythonPattern(pattern)
    expect(compiled.kind).toBe(kind)
    const answers = [...found, ...missing].map((text) => [seen(text), answer(pattern, text)])
    expect(answers).toEqual([
      ...found.map((text) => [seen(text), 'found']),
      ...missing.map((text) => [seen(text), 'missing']),
    ])
  })

  test('what no engine but Python knows by name is told apart from a mistake', () => {
    expect(whyNot('a(?=b)')).toBe('RE2 has no look-around')
    expect(whyNot('(a)\\1')).toBe('RE2 has no back-references')
    expect(whyNot('(a)?(?(1)b)')).toBe('RE2 has no conditionals')
    expect(whyNot('a*+')).toBe('RE2 has no possessive quantifiers')
    expect(whyNot('(?>a)')).toBe('RE2 has no atomic groups')
    expect(whyNot('a{1001}')).toBe(
      'RE2 does not take it: error parsing regexp: invalid repeat count: `{1001}`',
    )
    expect(whyNot('a{4}{5}')).toBe('a repeat of a repeat, at character 5')
    expect(whyNot('\\d(b|[z-a])')).toBe('a bad range, at character 6')
  })

  test('a mistake behind something that RE2 cannot express is a mistake', () => {
    expect(compilePythonPattern('(?=a)**').kind).toBe('invalid')
    expect(compilePythonPattern('\\N{EM DASH}(').kind).toBe('invalid')
  })

  // Only what the two languages share; sticky ends, classes and case are in the table above.
  test('patterns that JavaScript reads the same way find the same', () => {
    const atom = fc.constantFrom('a', 'b', '\\n', '.', '[ab]', '[^a]', '^', '\\b', '\\B', '-', '')
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}(${b})`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+?', '?', '{2}', '{0,2}', '{1,}'))
          .map(([a, times]) => `(?:${a})${times}`),
      ),
    }))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '\n'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const mine = answer(source, given)
        expect(mine).toBe(new RegExp(source, 'u').test(given) ? 'found' : 'missing')
      }),
      { numRuns: 500 },
    )
  })
})

describe('a pattern from outside does no harm', () => {
  const anyText = fc
    .string({ unit: 'binary', maxLength: 30 })
    .chain((text) => fc.constantFrom(text, `${text}\ud800`, `\udfff${text}\n`))
  const groups = [
    '(',
    ')',
    '(?',
    '(?:',
    '(?P<n>',
    '(?i)',
    '(?x)',
    '(?(1)',
    '(?<=',
    '(?#',
    '>',
    ':',
    '=',
    '#',
    '|',
  ]
  const signs = ['[', '[^', ']', '{', '{2,', '{,3}', '}', '*', '+', '?', '^', '$', '.', '-', ',']
  const letters = [
    '\\',
    '\\b',
    '\\B',
    '\\w',
    '\\1',
    '\\x4',
    '\\N{',
    '\\Z',
    'a',
    'i',
    '1',
    'é',
    '中',
    '\ud83d',
    ' ',
    '\n',
  ]
  const anySyntax = fc
    .array(fc.constantFrom(...groups, ...signs, ...letters), { maxLength: 12 })
    .map((some) => some.join(''))
  const anyPattern = fc.oneof(anyText, anySyntax)

  test('nothing throws, whatever pattern and text', () => {
    fc.assert(
      fc.property(anyPattern, anyText, (pattern, text) => {
        expect(['found', 'missing', 'invalid', 'engine_differs']).toContain(answer(pattern, text))
      }),
      { numRuns: 3_000 },
    )
  })

  // A backtracking engine would not come back from any of these.
  const traps = ['(a+)+$', '(a|aa)+$', '(?:a*)*b$', '(?:a?){30}a{30}$', '(.*)*x', '\\b(?:\\w+\\s?)+$']
  test.each(traps)('%s takes time linear in the text', (pattern) => {
    expect(answer(pattern, `${'a'.repeat(20_000)}!`)).toBe('missing')
  })

  test('what is too long, too deep or too large is not searched, and says so', () => {
    expect(answer('a'.repeat(limits.patternCharsMax), 'a')).toBe('missing')
    expect(whyNot('a'.repeat(limits.patternCharsMax + 1))).toBe('it is longer than 2000 characters')
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`
    expect(answer(nested(limits.patternDepthMax), 'a')).toBe('found')
    expect(whyNot(nested(limits.patternDepthMax + 1))).toBe('its groups are more than 100 deep')
    const conditions = limits.patternDepthMax + 1
    expect(whyNot(`(a)${'(?(1)'.repeat(conditions)}${')'.repeat(conditions)}`)).toBe(
      'its groups are more than 100 deep',
    )
    expect(answer('a{1000}', 'a'.repeat(1_000))).toBe('found')
    expect(whyNot('[ab]{999}'.repeat(3))).toBe('its repeats make it longer than 5000 steps')
    expect(whyNot('((a{900}){900}){900}')).toBe('its repeats make it longer than 5000 steps')
  })

  test('a search that would be too much work is not made', () => {
    expect(answer('a{1000}$', 'a'.repeat(4_000))).toBe('found')
    expect(answer('a{1000}$', 'a'.repeat(6_000))).toBe('differs')
  })

  test('the states that a pattern builds are bounded', () => {
    const compile = vi.spyOn(RE2JS, 'compile')
    let seed = 1
    const text = Array.from(
      { length: 20_000 },
      () => 'ab'[((seed = (seed * 75 + 74) % 65_537) >> 4) % 2],
    ).join('')
    expect(answer('(?:a|b)*a(?:a|b){12}c', `c${text}`)).toBe('missing')
    const { dfa } = compile.mock.results[0]!.value.re2() as ReturnType<RE2JS['re2']>
    compile.mockRestore()
    expect(dfa.stateCount).toBeGreaterThan(0)
    expect(dfa.stateCount * 150).toBeLessThan(limits.patternStateBytesMax) // 150 bytes are the least that a state is counted for
  })

  test('kinds of word characters beyond what the alphabet holds are told, not confused', () => {
    const kinds = (count: number): string =>
      Array.from({ length: count }, (_, i) => String.fromCharCode(0x4e00 + i)).join('')
    expect(answer(`\\b${kinds(61)}\\b`, kinds(61))).toBe('found')
    expect(whyNot(`\\b${kinds(70)}\\b`)).toBe('RE2 has no \\b beside that many kinds of word characters')
    expect(answer(kinds(1_500), `-${kinds(1_500)}`)).toBe('found')
  })

  test('compiled patterns are kept up to a limit, those used last', () => {
    const [first, second] = [compilePythonPattern('kept-1'), compilePythonPattern('kept-2')]
    for (let i = 0; i < limits.patternsKeptMax - 1; i++) {
      expect(compilePythonPattern('kept-1')).toBe(first)
      compilePythonPattern(`other-${i}`)
    }
    expect(compilePythonPattern('kept-1')).toBe(first)
    expect(compilePythonPattern('kept-2')).not.toBe(second)
  })
})
