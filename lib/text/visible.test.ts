import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutAtWord, oneLine, visible, withoutAnsi } from './visible'

test.each([
  ['plain text, tabs\tand\nlines', 'plain text, tabs\tand\nlines'],
  ['\u001b[31mred', '␛[31mred'],
  ['a\u0000b\u007f', 'a␀b␡'],
  ['user\u202etxt.exe', 'user⟨U+202E⟩txt.exe'],
  ['zero\u200bwidth\ufeff', 'zero⟨U+200B⟩width⟨U+FEFF⟩'],
  ['c1 \u009b31m', 'c1 ⟨U+009B⟩31m'],
  ['windows\r\nline', 'windows\nline'],
  ['over\rwritten', 'over␍written'],
  ['half \ud800 pair', 'half ⟨U+D800⟩ pair'],
  ['tag \u{e0041}', 'tag ⟨U+E0041⟩'],
  ['👩‍💻 中文 é', '👩‍💻 中文 é'],
])('%j reads %j', (text, want) => expect(visible(text)).toBe(want))

describe('made visible', () => {
  test('no text keeps a character that acts on a terminal or a reading direction, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom('\u001b', '\u202e', '\u2066', '\r', '\n', 'a', '\u0000') }),
        ),
        (text) => {
          const shown = visible(text)
          expect(shown).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
          )
          expect(visible(shown)).toBe(shown)
        },
      ),
    )
  })

  test('colours, cursor moves and links of a terminal are taken out whole', () => {
    expect(withoutAnsi('\u001b[1;31mFAIL\u001b[0m \u001b]8;;https://x\u0007link\u001b]8;;\u0007')).toBe(
      'FAIL link',
    )
  })

  test('one line is one line', () => expect(oneLine('  a\n\n b\t c\u001b ')).toBe('a b c␛'))
})

describe('a cut', () => {
  test.each([
    ['short', 10, 'short'],
    ['one two three', 9, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['averylongwordwithoutblanks', 10, 'averylong…'],
    ['ab👩cd', 4, 'ab…'],
  ])('of %j at %i is %j', (text, max, want) => expect(cutAtWord(text, max)).toBe(want))

  test('is never longer than asked, keeps the beginning, is marked, and breaks no surrogate pair', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 2, max: 40 }),
        (text, max) => {
          const cut = cutAtWord(text, max)
          expect(cut.length).toBeLessThanOrEqual(max)
          if (cut !== text) {
            expect(cut.endsWith('…')).toBe(true)
            expect(text.startsWith(cut.slice(0, -1))).toBe(true)
            expect(() => encodeURIComponent(cut)).not.toThrow() // throws on half a pair
          }
        },
      ),
    )
  })
})
