import { expect, test } from 'vitest'
import { storedText, textOf, type Catalogue } from './catalogue'

interface Messages {
  limit: { turns: number }
  none: Record<string, never>
}
const WORDS: Catalogue<Messages> = {
  limit: ({ turns }) => `Stopped after ${turns} turns`,
  none: () => 'Nothing recorded',
}

test('a message becomes its text', () => {
  expect(textOf(WORDS, { id: 'limit', params: { turns: 3 } })).toBe('Stopped after 3 turns')
})

test('a stored message is rendered anew', () => {
  expect(storedText(WORDS, { id: 'limit', params: { turns: 3 }, text: 'as it was worded then' })).toBe(
    'Stopped after 3 turns',
  )
})

test.each([
  ['an id of another version', 'limit_of_tomorrow', {}],
  ['a row from before there were ids', null, null],
  ['a name of every object', 'constructor', {}],
])('%s keeps the text of the day', (_, id, params) => {
  expect(storedText(WORDS, { id, params, text: 'as it was worded then' })).toBe('as it was worded then')
})
