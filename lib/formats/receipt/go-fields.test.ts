import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGoFields } from './go-fields'

const KINDS = { session_id: 'text', task: 'text', is_interrupt: 'flag', error: 'json' } as const
const EMPTY = { session_id: '', task: '', is_interrupt: false, error: null }
const read = (text: string) => readGoFields(text, KINDS)

describe('an object is read as the reference reads it', () => {
  test.each<[string, object]>([
    ['{"SESSION_id":"a","Error":1}', { session_id: 'a', error: '1' }],
    ['{"\\u0073ession_id":"a"}', { session_id: 'a' }],
    // The long s and the Kelvin sign are letters of other scripts that fold to ASCII ones.
    ['{"\u017fession_id":"a","tas\u212a":"b"}', { session_id: 'a', task: 'b' }],
    ['{"error":"a","Error":"b","error":"c"}', { error: '"c"' }],
    ['{"session_id":"a","session_id":null}', { session_id: 'a' }],
    ['{"is_interrupt":true,"is_interrupt":null}', { is_interrupt: true }],
    ['{"error":1,"error":null}', { error: 'null' }],
    ['{"error": {  "a" : "}\\u00e9" } }', { error: '{  "a" : "}\\u00e9" }' }],
    ['{"session_id":"a\\ud800b\\ud83d\\ude00"}', { session_id: 'a\ufffdb😀' }],
    [' null ', {}],
    ['{}', {}],
  ])('%s', (text, want) => expect(read(text)).toEqual({ ...EMPTY, ...want }))

  test.each([
    '{"session_id":1}',
    '{"session_id":{}}',
    '{"is_interrupt":"true"}',
    '{"is_interrupt":0}',
    '{"session_id":1,"session_id":"a"}',
    '[]',
    '"a"',
    '5',
    '',
    '{',
    '{"a":1}x',
    '\ufeff{}',
    `${'['.repeat(10_001)}${']'.repeat(10_001)}`,
  ])('%.20s is refused', (text) => expect(read(text)).toBeNull())
})

test('every member is found, whatever JSON stands around it', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 4,
      }),
      fc.string(),
      fc.nat(3),
      (others, said, indent) => {
        const rest = Object.fromEntries(
          Object.entries(others).filter(([key]) => !/^(session_id|task|is_interrupt|error)$/i.test(key)),
        )
        const text = JSON.stringify({ ...rest, session_id: said, error: [said] }, null, indent)
        expect(read(text)).toMatchObject({
          session_id: said.toWellFormed(),
          error: expect.stringContaining('['),
        })
        expect(JSON.parse(read(text)!.error!)).toEqual([said])
      },
    ),
    { numRuns: 50 },
  )
})
