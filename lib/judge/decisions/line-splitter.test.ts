import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from './line-splitter'
import { splitLines } from './python-text'

function split(pieces: readonly string[], charsMax = 100): { lines: string[]; ends: string[]; long: number } {
  const lines: string[] = []
  const ends: string[] = []
  let long = 0
  const splitter = createLineSplitter(
    (line, end) => {
      lines.push(line)
      ends.push(end)
    },
    charsMax,
    () => long++,
  )
  for (const piece of pieces) splitter.push(piece)
  splitter.finish()
  return { lines, ends, long }
}

test('each line comes with its end, the last one with none', () => {
  expect(split(['a\r\nb\u2028c\x85\nd'])).toEqual({
    lines: ['a', 'b', 'c', '', 'd'],
    ends: ['\r\n', '\u2028', '\x85', '\n', ''],
    long: 0,
  })
})

test('a line that comes in pieces is whole', () =>
  expect(split(['a', 'b', '', 'c\nd', 'e']).lines).toEqual(['abc', 'de']))

test('a CRLF that is cut in two makes a blank line more', () =>
  expect(split(['a\r', '\nb']).lines).toEqual(['a', '', 'b']))

test('lines of more than the limit are dropped and told, and hold up no others', () => {
  expect(split(['aaaa', 'a\nbbbb\n', 'ccc', 'ccc', 'ccc\nd'], 4)).toEqual({
    lines: ['bbbb', 'd'],
    ends: ['\n', ''],
    long: 2,
  })
})

test('however it is cut, the lines with something in them are the same', () => {
  const text = fc
    .array(fc.constantFrom('a', '😀', '\r\n', '\n', '\r', '\u2028', '\x1c', ' '), { maxLength: 20 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), (whole, cuts) => {
      const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
      const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end))
      expect(split(pieces).lines.filter((line) => line !== '')).toEqual(
        splitLines(whole).filter((line) => line !== ''),
      )
    }),
    { numRuns: 500 },
  )
})
