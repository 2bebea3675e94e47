import fc from 'fast-check'
import { expect, test } from 'vitest'
import { charOffset, lineAround, splitAtRange } from './byte-text'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('the pieces tile the bytes, and exactly the asked range is marked', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      fc.nat(1000),
      fc.nat(1100),
      fc.nat(1100),
      (data, start, a, b) => {
        const range = { byteStart: Math.min(a, b), byteEnd: Math.max(a, b) }
        const pieces = splitAtRange(data, start, range)
        let at = start
        for (const piece of pieces) {
          expect(piece.from).toBe(at)
          expect(piece.to).toBeGreaterThan(piece.from)
          at = piece.to
          if (piece.marked)
            expect([piece.from >= range.byteStart, piece.to <= range.byteEnd]).toEqual([true, true])
        }
        expect(at).toBe(start + data.length)
        const overlap = Math.max(
          0,
          Math.min(range.byteEnd, start + data.length) - Math.max(range.byteStart, start),
        )
        expect(
          pieces.filter((piece) => piece.marked).reduce((n, piece) => n + piece.to - piece.from, 0),
        ).toBe(overlap)
      },
    ),
  )
})

test('text is read as UTF-8', () => {
  expect(
    splitAtRange(bytes('über "ß" ok'), 100, { byteStart: 106, byteEnd: 110 }).map((p) => [p.text, p.marked]),
  ).toEqual([
    ['über ', false],
    ['"ß"', true],
    [' ok', false],
  ])
})

test('a line is found around a range, also at the ends', () => {
  const data = bytes('one\ntwo two\nthree')
  expect(lineAround(data, 50, { byteStart: 58, byteEnd: 60 })).toEqual({ from: 54, to: 61 })
  expect(lineAround(data, 50, { byteStart: 50, byteEnd: 51 })).toEqual({ from: 50, to: 53 })
  expect(lineAround(data, 50, { byteStart: 64, byteEnd: 67 })).toEqual({ from: 62, to: 67 })
})

test('a byte offset becomes the offset of the text', () => {
  expect(charOffset(bytes('äb"c'), 3)).toBe(2)
})
