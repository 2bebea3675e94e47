import { expect, test } from 'vitest'
import { isListOfRecords } from './list-of-records'

test.each([
  ['[]', 'empty'],
  [' \n[\r\n\t ]\n', 'empty'],
  ['\ufeff[]', 'empty'],
  ['[{}]', 'list'],
  ['[', 'list'],
  ['[]]', 'list'],
  ['[]\n{}', 'list'],
  ['{}', null],
  ['', null],
])('%j', (text, is) => {
  expect(isListOfRecords(new TextEncoder().encode(text))).toBe(is)
})
