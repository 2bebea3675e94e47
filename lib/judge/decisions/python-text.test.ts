import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codePointCount,
  firstCodePoints,
  isBlank,
  SPACE,
  splitLines,
  standsAlone,
  strip,
  truncate,
} from './python-text'

const SPACES = '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000'

describe('white space', () => {
  test.each([...SPACES])('%j goes at both ends', (space) => {
    expect(strip(`${space}a${space}b${space}`)).toBe(`a${space}b`)
    expect(new RegExp(`^${SPACE}$`).test(space)).toBe(true)
  })

  test.each([...'\ufeff\u200b\u180e\x00\x7f\u2060'])('%j stays', (character) => {
    expect(strip(`${character}a${character}`)).toBe(`${character}a${character}`)
    expect(isBlank(character)).toBe(false)
    expect(new RegExp(SPACE).test(character)).toBe(false)
  })

  test('and nothing else goes', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(isBlank)
    // 29 of them, as `str.isspace` has it.
    expect([all.length, all.filter((character) => !new RegExp(SPACE).test(character))]).toEqual([29, []])
  })
})

describe('lines', () => {
  test.each([
    ['nothing has none', '', []],
    ['no empty last one', 'a\n', ['a']],
    ['but empty ones before', '\n\na', ['', '', 'a']],
    ['a CRLF is one end', 'a\r\nb\rc\nd', ['a', 'b', 'c', 'd']],
    ['LF and CR are two', 'a\n\rb', ['a', '', 'b']],
    ['ends that JavaScript does not know', 'a\vb\fc\x1cd\x1de\x1ef\x85g\u2028h\u2029i', [...'abcdefghi']],
    ['a unit separator ends none', 'a\x1fb', ['a\x1fb']],
  ])('%s', (_, text, lines) => expect(splitLines(text)).toEqual(lines))

  test.each([
    ['alone between others', 'a\n M \nb', true],
    ['behind a form feed', 'a\fM', true],
    ['with words beside it', 'a M', false],
    ['twice on a line', 'M M', false],
  ])('a marker %s', (_, text, alone) => expect(standsAlone(text, 'M')).toBe(alone))
})

describe('lengths', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00', 'é', '\n') })

  test('a pair is one, half of one is one too', () =>
    expect(codePointCount('a😀\ud83d\ude00\ude00\ud83d')).toBe(5))

  test('are those of code points', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 12 }), (one, count) => {
        expect(codePointCount(one)).toBe([...one].length)
        expect(firstCodePoints(one, count)).toBe([...one].slice(0, count).join(''))
      }),
    )
  })

  test.each([
    ['short enough', 'a'.repeat(5_000), 'a'.repeat(5_000)],
    ['short enough in code points', '😀'.repeat(5_000), '😀'.repeat(5_000)],
    ['one too many', `b${'a'.repeat(5_000)}`, `...[truncated 1 chars]...\n${'a'.repeat(5_000)}`],
    ['no pair is cut', `bb${'😀'.repeat(5_000)}`, `...[truncated 2 chars]...\n${'😀'.repeat(5_000)}`],
  ])('%s', (_, given, expected) => expect(truncate(given)).toBe(expected))
})
