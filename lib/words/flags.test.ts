import { expect, test } from 'vitest'
import { FLAGS } from '../model/flags'
import { FLAG_WORDS, reworded, wordedFlag } from './flags'

const found = { family: 'safety', code: 'symlink', weight: 'warning', detail: null, file: 0, lines: null }

test('every flag has one sentence of at most 120 characters', () => {
  expect(Object.keys(FLAG_WORDS).sort()).toEqual([...Object.keys(FLAGS), 'not-read'].sort())
  for (const sentence of Object.values(FLAG_WORDS)) {
    expect(sentence).toMatch(/^[^a-fh-z].*\.$/)
    expect(sentence.length).toBeLessThanOrEqual(120)
  }
  expect(FLAG_WORDS).toMatchSnapshot()
})

test('a flag is stored with its sentence, and shown with the one of today', () => {
  expect(wordedFlag(found)).toEqual({ ...found, sentence: 'A symbolic link is created or changed.' })
  expect(reworded([{ ...found, sentence: 'as it was worded then' }])).toEqual([wordedFlag(found)])
})

test('a flag of another version keeps the text of the day', () => {
  const other = { ...found, code: 'of-tomorrow', sentence: 'as it was worded then' }
  expect(reworded([other])).toEqual([other])
})
