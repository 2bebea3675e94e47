import { expect, test } from 'vitest'
import { readResultRecord } from './result-record'
import { signalFact } from './signal-fact'
import { lineOf } from './testing/fold'
import { cutText } from '../../text/cap-text'

const LONG = `cannot find ${'x'.repeat(5_000)}`

test('a text that is cut ends with a mark, and one that fits is whole', () => {
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('abcd', 3)).toBe('ab…')
  expect(cutText(`ab${String.fromCodePoint(0x1f600)}cd`, 4)).toBe('ab…')
})

test('no reason is cut without a mark', () => {
  const record = {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: [LONG, 'short'],
  }
  const { errors } = readResultRecord(record, lineOf(record), { wrong: [] })
  expect(errors).toEqual([expect.stringMatching(/^cannot find x+…$/), 'short'])
  const text = `<octopus-task-failed>${LONG}</octopus-task-failed>`
  const line = lineOf({ result: text })
  expect(signalFact(text, line, ['result'])!.reason).toMatch(/^cannot find x+…$/)
})
