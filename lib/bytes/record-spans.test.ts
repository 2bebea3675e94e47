import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBinaryPart, recordSpans, splitBody } from './record-spans'

const bytes = (text: string) => new TextEncoder().encode(text)
const records = (text: string, streamStart = true) => {
  const b = bytes(text)
  return [...recordSpans(b, streamStart)].map((s) => [
    new TextDecoder().decode(b.subarray(s.start, s.end)),
    s.torn ? 'torn' : s.open ? 'open' : 'whole',
  ])
}

test('a list may have more elements than a call takes arguments', () => {
  expect([...recordSpans(bytes(`[\n${'{},\n'.repeat(500_000)}{}]`), true)]).toHaveLength(500_001)
})

describe('records of a body', () => {
  test.each([
    [
      'lines',
      '{"a":1}\n{"b":2}',
      [
        ['{"a":1}', 'whole'],
        ['{"b":2}', 'open'],
      ],
    ],
    [
      'a list on one line',
      '[{"a":"ä]"}, {"b":[2]}]\n',
      [
        ['{"a":"ä]"}', 'whole'],
        ['{"b":[2]}', 'whole'],
      ],
    ],
    [
      'a list over lines',
      '\n[\n  {"a":\n1},\n  {"b":2}\n]\n',
      [
        ['{"a":\n1}', 'whole'],
        ['{"b":2}', 'whole'],
      ],
    ],
    ['an object over lines', '{\n "a": "x\\"}"\n}\n', [['{\n "a": "x\\"}"\n}', 'whole']]],
    [
      'objects over lines',
      '{\n}\n{\n"a":1}',
      [
        ['{\n}', 'whole'],
        ['{\n"a":1}', 'whole'],
      ],
    ],
    [
      'a torn list',
      '[{"a":1},\n{"b":',
      [
        ['{"a":1}', 'whole'],
        ['{"b":', 'torn'],
      ],
    ],
    [
      'a list without its end',
      '[\n{"a":1}',
      [
        ['{"a":1}', 'whole'],
        ['', 'torn'],
      ],
    ],
    [
      'a list torn behind a comma',
      '[\n{"a":1},\n',
      [
        ['{"a":1}', 'whole'],
        [',\n', 'torn'],
      ],
    ],
    ['a torn object over lines', '{\n "a": 1,\n', [['{\n "a": 1,\n', 'torn']]],
    [
      'a torn first line does not swallow the next',
      '{"a":\n{"b":2}\n',
      [
        ['{"a":', 'whole'],
        ['{"b":2}', 'whole'],
      ],
    ],
    [
      'text that begins with a bracket',
      '[info] start\n{"a":1}\n',
      [
        ['[info] start', 'whole'],
        ['{"a":1}', 'whole'],
      ],
    ],
    ['an empty list has no records', '[]\n', []],
    ['an empty list over lines has none either', '[\n]\n', []],
    ['an empty list does not swallow the next line', '[]\n{"a":1}\n', [['{"a":1}', 'whole']]],
    [
      'a list further down is one record',
      '{"a":1}\n[{"b":2}]\n',
      [
        ['{"a":1}', 'whole'],
        ['[{"b":2}]', 'whole'],
      ],
    ],
  ])('%s', (_, text, want) => expect(records(text)).toEqual(want))

  test('documents are recognised only where a stream begins', () =>
    expect(records('[\n1]\n', false)).toEqual([
      ['[', 'whole'],
      ['1]', 'whole'],
    ]))

  test('elements of any list stand where JSON says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.constantFrom(undefined, 1, '\t'),
        (list, space) => {
          const text = JSON.stringify(list, null, space)
          expect(records(text).map(([t]) => JSON.parse(t!))).toEqual(JSON.parse(text))
        },
      ),
    )
  })
  test('no bytes make it throw, and spans never overlap', () => {
    const near = fc
      .array(fc.constantFrom(...'{}[]",:\\ \n1a'), { maxLength: 40 })
      .map((a) => bytes(a.join('')))
    fc.assert(
      fc.property(fc.oneof(near, fc.uint8Array()), (b) => {
        let at = 0
        for (const s of recordSpans(b, true)) {
          expect(s.start).toBeGreaterThanOrEqual(at)
          expect(s.end).toBeGreaterThanOrEqual(s.torn ? s.start : s.start + 1)
          at = s.end
        }
        expect(at).toBeLessThanOrEqual(b.length)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('parts of a body', () => {
  test('tile it, end at line ends, and hold more than the target only for a longer line', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 30 }).map((s) => `{"x":${JSON.stringify(s)}}`),
          { minLength: 1 },
        ),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('\n', '\r\n'),
        (lines, target, eol) => {
          const b = bytes(lines.join(eol))
          const parts = [...splitBody(b, target)]
          expect(parts.map((p) => p.start)).toEqual([0, ...parts.slice(0, -1).map((p) => p.end)])
          expect(parts.at(-1)!.end).toBe(b.length)
          for (const p of parts) {
            if (p.end < b.length) expect(b[p.end - 1]).toBe(10)
            if (p.end - p.start > target) expect(b.subarray(p.start, p.end - 1).includes(10)).toBe(false)
          }
        },
      ),
    )
  })
  test('a part of short lines ends after so many of them', () =>
    expect([...splitBody(bytes('{}\n\n{}\n[]\n{"a":1}'), 100, 2)]).toEqual([
      { start: 0, end: 4 },
      { start: 4, end: 10 },
      { start: 10, end: 17 },
    ]))
  test('a document stays whole', () =>
    expect([...splitBody(bytes('[\n{"a":1},\n{"b":2}\n]\n'), 4)]).toEqual([{ start: 0, end: 21 }]))
  test('a target of 1 gives each line its own part', () =>
    expect([...splitBody(bytes('{"a":1}\n{"b":2}\n'), 1)]).toEqual([
      { start: 0, end: 8 },
      { start: 8, end: 16 },
    ]))
  test('nothing has no parts', () => expect([...splitBody(new Uint8Array(), 10)]).toEqual([]))
})

test.each([
  ['NUL bytes', new Uint8Array(100), true],
  ['an executable', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]), true],
  ['text in another encoding', new Uint8Array([...bytes('Gr\x00'.repeat(9))]), true],
  ['text', bytes('hello\n'), false],
  ['a record behind NUL bytes', new Uint8Array([...new Uint8Array(90), 10, ...bytes('{"a":1}\n')]), false],
  ['nothing', new Uint8Array(), false],
])('%s: binary is %s', (_, b, want) => expect(isBinaryPart(b, true)).toBe(want))
