import fc from 'fast-check'
import { refractor } from 'refractor'
import { expect, test } from 'vitest'
import { linePieces } from './line-pieces'
import { coloursByLine, grammarOf, type SyntaxNode } from './syntax'
import { wordEdits } from './word-edits'

test('pieces put together are the line again, and words that are not marked are the same on both sides', () => {
  const word = fc.constantFrom('a', 'b', 'foo', ' ', '  ', '(', '‮', '🙂', '\t', '=')
  const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))
  fc.assert(
    fc.property(line, line, (old, fresh) => {
      const edits = wordEdits(old, fresh)
      const sides = [linePieces(old, edits.old, []), linePieces(fresh, edits.fresh, [])] as const
      expect(sides.map((pieces) => pieces.map((piece) => piece.text).join(''))).toEqual([old, fresh])
      const kept = sides.map((pieces) =>
        pieces
          .filter((piece) => !piece.isEdit)
          .map((piece) => piece.text)
          .join(''),
      )
      if (edits.old.length + edits.fresh.length > 0) expect(kept[0]).toBe(kept[1])
    }),
  )
})

test('one word of a line is marked, lines with nothing in common are not', () => {
  expect(wordEdits('const a = first(b)', 'const a = second(b)')).toEqual({
    old: [{ start: 10, end: 15 }],
    fresh: [{ start: 10, end: 16 }],
  })
  expect(wordEdits('return total', 'throw new RangeError(message)')).toEqual({ old: [], fresh: [] })
  expect(wordEdits('x'.repeat(5_000), 'y')).toEqual({ old: [], fresh: [] })
})

test('colours stand on the characters of their line, over several lines too', () => {
  const text = "const a = 1 /* one\ntwo */ + f('x')"
  const lines = coloursByLine(refractor.highlight(text, 'typescript') as SyntaxNode)
  const words = lines.map((ranges, index) =>
    ranges.map(({ start, end, kind }) => `${kind} ${text.split('\n')[index]!.slice(start, end)}`),
  )
  expect(words).toEqual([
    ['keyword const', 'number 1', 'comment /* one'],
    ['comment two */', 'function f', "string 'x'"],
  ])
  const pieces = linePieces(text.split('\n')[0]!, [{ start: 6, end: 11 }], lines[0]!)
  expect(pieces.filter((piece) => piece.isEdit).map((piece) => `${piece.text}${piece.kind ?? ''}`)).toEqual([
    'a = ',
    '1number',
  ])
})

test('names of the prototype are no grammars', () => {
  expect([
    grammarOf('a/b.ts'),
    grammarOf('Makefile'),
    grammarOf('x.proto'),
    grammarOf('constructor'),
  ]).toEqual(['typescript', null, null, null])
})
