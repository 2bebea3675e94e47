import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { passageSpan, rangeOf, spanOf } from './span'
import { bytesAt, lineOf } from './testing/fold'

const at = (text: string, path: (string | number)[]): string | null => {
  const range = rangeOf(text, path)
  return range === null ? null : text.slice(range.start, range.end)
}

/** Every path of a JSON value with the value that is there. */
function* paths(value: unknown, path: (string | number)[] = []): Generator<[(string | number)[], unknown]> {
  yield [path, value]
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* paths(inner, [...path, index])
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* paths(inner, [...path, key])
  }
}

describe('places of values', () => {
  test('every value of any JSON text is found at its path, however the text is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = ` ${JSON.stringify(value, null, indent)}\r\n`
        for (const [path, inner] of paths(JSON.parse(text)))
          expect(JSON.parse(at(text, path)!)).toEqual(inner)
      }),
    )
  })

  test.each<[string, (string | number)[], string | null]>([
    ['{"a":1,"a":{"b":[10,20]}}', ['a', 'b', 1], '20'],
    ['{"a":"\\"}","b":2}', ['b'], '2'],
    ['{"\\u0061":1}', ['a'], '1'],
    ['{"a":[]}', ['a', 0], null],
    ['{"a":{}}', ['a', 'b'], null],
    ['{"a":[1]}', ['a', 'b'], null],
    ['{"a":1}', ['a', 0], null],
    ['{"a":[1,[2,3]]}', ['a', 1, 1], '3'],
    ['7', [], '7'],
  ])('%s at %j', (text, path, want) => expect(at(text, path)).toBe(want))

  test('brackets without end are walked, not recursed into', () => {
    const text = `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)},"after":1}`
    expect(at(text, ['after'])).toBe('1')
  })
})

describe('spans count bytes', () => {
  test('of UTF-8, and name the place as a JSON pointer', () => {
    const line = lineOf({ 'é/~🧨': 'a', text: 'grüß 🧨' })
    const span = spanOf(line, ['text'])
    expect(bytesAt(line, span)).toBe('"grüß 🧨"')
    expect(span.jsonPointer).toBe('/text')
    expect(spanOf(line, ['é/~🧨']).jsonPointer).toBe('/é~1~0🧨')
  })

  test('what is not there gets the whole record', () => {
    const line = lineOf({ a: 1 })
    expect(bytesAt(line, spanOf(line, ['b']))).toBe('{"a":1}')
  })

  test('a passage of any text lands on the bytes that spell it', () => {
    const text = fc.string({ unit: 'grapheme' })
    const some = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(text, some, text, (before, wanted, after) => {
        const line = lineOf({ x: 'é', text: before + wanted + after })
        const span = passageSpan(line, ['text'], { start: before.length, end: before.length + wanted.length })
        expect(JSON.parse(`"${bytesAt(line, span)}"`)).toBe(wanted)
      }),
    )
  })

  test('a passage of what is no text, or of nothing, is the whole value', () => {
    const line = lineOf({ list: ['a', 'b'], empty: '' })
    expect(bytesAt(line, passageSpan(line, ['list'], { start: 0, end: 1 }))).toBe('["a","b"]')
    expect(bytesAt(line, passageSpan(line, ['empty'], { start: 0, end: 4 }))).toBe('""')
  })
})

describe('many places of one record', () => {
  test('are those that each has alone, in whatever order they are asked for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.infiniteStream(fc.nat()), (value, order) => {
        const line = lineOf(value)
        const asked = [...paths(value)].map(([path]) => path)
        const shuffled = asked.sort(() => (order.next().value % 3) - 1)
        for (const path of shuffled) expect(spanOf(line, path)).toEqual(spanOf(lineOf(value), path))
      }),
    )
  })
  test('take one walk', () => {
    const read = vi.spyOn(String.prototype, 'charCodeAt')
    const steps = (count: number): number => {
      const line = lineOf({ list: Array.from({ length: count }, (_, i) => ({ é: `${i}` })) })
      const before = read.mock.calls.length
      for (let i = 0; i < count; i++) spanOf(line, ['list', i, 'é'])
      return read.mock.calls.length - before
    }
    const ratio = steps(400) / steps(100)
    read.mockRestore()
    expect(ratio).toBeLessThan(6)
  })
})
