import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryTokens, searchTokens } from './search-text'

test.each([
  [['Read-First, please: read'], ['read', 'first', 'please']],
  [['Größe 中文 ⅳ ﬁle'], ['größe', '中文', 'iv', 'file']],
  [['../src/app.tsx(6,33)'], ['src', 'app', 'tsx', '6', '33']],
  [['', ' \u0000\u202e '], []],
  [['x'.repeat(100)], ['x'.repeat(64)]],
])('%j gives %j', (texts, tokens) => expect(searchTokens(texts)).toEqual(tokens))

test('a search document stays small', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 30 }), (texts) => {
      const tokens = searchTokens(texts)
      expect(tokens.length).toBeLessThanOrEqual(200)
      expect(new Set(tokens).size).toBe(tokens.length)
      expect(tokens.every((t) => [...t].length <= 64)).toBe(true)
    }),
  )
  expect(searchTokens([Array.from({ length: 500 }, (_, i) => `w${i}`).join(' ')])).toHaveLength(200)
})

test('what a reader typed is taken apart as the text was', () =>
  expect(queryTokens(['Exit code', '“1”'])).toEqual(['exit', 'code', '1']))
