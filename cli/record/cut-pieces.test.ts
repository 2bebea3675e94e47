import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PieceCutter, pieceBytesMax, type Piece } from './cut-pieces'

const bytesOf = (piece: Piece): Buffer =>
  'text' in piece ? Buffer.from(piece.text) : Buffer.from(piece.base64, 'base64')
const cut = (...chunks: (string | Buffer)[]): Piece[] => {
  const cutter = new PieceCutter()
  return [
    ...chunks.flatMap((chunk, i) => [...cutter.push(Buffer.from(chunk as string), i), ...cutter.flush()]),
    ...cutter.flush(true),
  ]
}

test('any bytes, cut anywhere, come out as they went in, in pieces that are not too long', () => {
  const some = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
    fc.constant(Buffer.from('é\n€🙂'.repeat(9_000))),
  )
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), fc.array(fc.nat()), (chunks, cuts) => {
      const all = Buffer.concat(chunks)
      const ends = [...cuts.map((at) => at % (all.length + 1)), all.length].sort((a, b) => a - b)
      const pieces = cut(...ends.map((end, i) => all.subarray(ends[i - 1] ?? 0, end)))
      expect(Buffer.concat(pieces.map(bytesOf)).equals(all)).toBe(true)
      for (const piece of pieces) expect(bytesOf(piece).length).toBeLessThanOrEqual(pieceBytesMax)
    }),
    { numRuns: 200 },
  )
})

test('text is never cut inside of a character, however its bytes came', () => {
  const text = '€🙂é\u0301 '.repeat(20_000)
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
    bytes.subarray(i * 7, i * 7 + 7),
  )
  expect(cut(...chunks).every((piece) => 'text' in piece)).toBe(true)
  expect(
    cut(bytes)
      .map((piece) => ('text' in piece ? piece.text : ''))
      .join(''),
  ).toBe(text)
})

describe('what goes together', () => {
  test('a piece ends behind a line end when there is one', () => {
    const [first] = cut(`${'a'.repeat(60_000)}\n${'b'.repeat(60_000)}\n`)
    expect('text' in first! && first.text).toBe(`${'a'.repeat(60_000)}\n`)
  })

  test('a private key stays in one piece', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'k'.repeat(64)}\n-----END PRIVATE KEY-----\n`
    const pieces = cut(`${`${'a'.repeat(99)}\n`.repeat(655)}${key}rest\n`)
    expect(
      pieces
        .filter((piece) => 'text' in piece && piece.text.includes('-----BEGIN'))
        .map((piece) => 'text' in piece && piece.text.includes('-----END')),
    ).toEqual([true])
  })

  test('only the lines that are not text are kept as bytes', () => {
    const pieces = cut(
      Buffer.concat([Buffer.from('one\n'), Buffer.from([0xff, 0x0a]), Buffer.from('two\nthree')]),
    )
    expect(pieces).toEqual([
      { at: 0, text: 'one\n' },
      { at: 0, base64: '/wo=' },
      { at: 0, text: 'two\nthree' },
    ])
  })

  test('the beginning of a character that never ends is bytes', () => {
    expect(cut('a', Buffer.from([0xe2, 0x82]))).toEqual([
      { at: 0, text: 'a' },
      { at: 1, base64: '4oI=' },
    ])
  })
})
