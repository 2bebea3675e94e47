import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eachLine } from './lines'

const bytes = (text: string) => new TextEncoder().encode(text)
const texts = (b: Uint8Array, streamStart = true) =>
  [...eachLine(b, streamStart)].map((l) => [
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(b.subarray(l.start, l.end)),
    l.ended,
  ])

describe('lines of a body', () => {
  test.each([
    [
      'LF',
      'a\nb\n',
      [
        ['a', true],
        ['b', true],
      ],
    ],
    [
      'CRLF',
      'a\r\nb\r\n',
      [
        ['a', true],
        ['b', true],
      ],
    ],
    [
      'a last line without an end',
      'a\nb',
      [
        ['a', true],
        ['b', false],
      ],
    ],
    [
      'a carriage return without LF belongs to the line',
      'a\rb\nc\r',
      [
        ['a\rb', true],
        ['c\r', false],
      ],
    ],
    ['blank lines are no records', '\n \t\r\n\na\n\n', [['a', true]]],
    ['nothing', '', []],
    ['a byte order mark', '\ufeffa\n', [['a', true]]],
  ])('%s', (_, text, want) => expect(texts(bytes(text))).toEqual(want))

  test('a byte order mark inside of a stream is kept', () =>
    expect(texts(bytes('\ufeffa\n'), false)).toEqual([['\ufeffa', true]]))

  test('cover every byte that is no blank, in order', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }).map((a) => a.map((c) => (c % 5 === 0 ? 10 : c))),
        (b) => {
          let at = 0
          for (const line of eachLine(b, false)) {
            expect([...b.subarray(at, line.start)].every((c) => [9, 10, 13, 32].includes(c))).toBe(true)
            expect(line.end).toBeGreaterThan(line.start)
            expect(b.subarray(line.start, line.end).includes(10)).toBe(false)
            at = line.next
          }
          expect([...b.subarray(at)].every((c) => [9, 10, 13, 32].includes(c))).toBe(true)
        },
      ),
    )
  })
})
