import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactJsonText, member, memberAt, parseExactJson, type ExactJson } from './exact-json'
import { WrittenNumber } from './exact-number'

/** @throws when it is no JSON */
function read(text: string): ExactJson {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}

const digits = (max: number) => fc.stringMatching(new RegExp(`^(?:0|[1-9]\\d{0,${max}})$`))
const numberTexts = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(30),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,4}$/)),
  )
  .map((parts) => parts.join(''))

/** Texts of JSON without blanks, whose keys keep their order. */
const jsonTexts = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5 },
    numberTexts,
    fc.string({ unit: 'binary' }).map((one) => JSON.stringify(one)),
    fc.constantFrom('null', 'true', 'false'),
    fc.array(tie('text'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.constantFrom('a', 'b', '1e5', '__proto__', 'constructor', '"', '12345678901234567890x'),
          tie('text'),
        ),
        { selector: ([key]) => key, maxLength: 5 },
      )
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).text

describe('exact JSON', () => {
  test('every digit comes back as it was written', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => exactJsonText(read(text)) === text),
      { numRuns: 2000 },
    )
  })

  test('what the language takes for JSON is taken, nothing else', () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const odd = fc
      .array(
        fc.oneof(
          jsonTexts,
          fc.constantFrom(
            '0',
            '1',
            '9',
            '-',
            '+',
            '.',
            'e',
            'E',
            ',',
            '[',
            ']',
            '{',
            '}',
            '"',
            ':',
            '\\',
            ' ',
            'NaN',
            '01',
            '1e200',
          ),
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(odd, (text) => parseExactJson(text).ok === isJson(text)),
      { numRuns: 5000 },
    )
  })

  test.each([
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    '1e+',
    '00000000000000000001',
    '12345678901234567890.',
    '1ee5',
    '[1e5e5]',
    'NaN',
    '',
    '1 2',
  ])('%s is none', (text) => expect(parseExactJson(text)).toEqual({ ok: false, why: 'not_json' }))

  test.each([
    ['562927675733336035', new WrittenNumber('562927675733336035')],
    ['9007199254740991', new WrittenNumber('9007199254740991')],
    ['1.0', new WrittenNumber('1.0')],
    ['1e5', new WrittenNumber('1e5')],
    ['-0', new WrittenNumber('-0')],
    ['1e200', new WrittenNumber('1e200')],
    ['0', 0],
    ['-12.5', -12.5],
    ['123456789012345', 123456789012345],
  ])('%s is kept', (text, value) => expect(read(`[${text}]`)).toEqual([value]))

  test('of equal keys the last counts', () =>
    expect(read('{"a":1,"b":2,"a":12345678901234567890}')).toEqual({
      a: new WrittenNumber('12345678901234567890'),
      b: 2,
    }))

  test('no key means anything', () => {
    const value = read('{"__proto__":{"x":9007199254740993},"constructor":1}')
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect(memberAt(value, '__proto__', 'x')).toEqual(new WrittenNumber('9007199254740993'))
    expect(member(read('{}'), '__proto__')).toBeUndefined()
    expect(member(read('{}'), 'toString')).toBeUndefined()
    expect(memberAt(read('{"a":[{"b":1}]}'), 'a', 'b')).toBeUndefined()
  })

  test('nests as deep as is read, and no deeper', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}1e5${']'.repeat(depth)}`
    expect(parseExactJson(nested(512)).ok).toBe(true)
    expect(parseExactJson(nested(513))).toEqual({ ok: false, why: 'too_deep' })
    expect(parseExactJson('['.repeat(1_000_000))).toEqual({ ok: false, why: 'too_deep' })
    expect(parseExactJson(`["${'['.repeat(1000)}"]`).ok).toBe(true)
    expect(parseExactJson('[[1]]', 1)).toEqual({ ok: false, why: 'too_deep' })
  })
})
