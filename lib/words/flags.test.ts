import { expect, test } from 'vitest'
import type { FoundFlag } from '../model/fix'
import { FLAGS } from '../model/flags'
import { FLAG_WORDS, reworded, wordedFlag } from './flags'

const found: FoundFlag = {
  family: 'safety',
  code: 'symlink',
  weight: 'warning',
  detail: { id: 'more_lines', params: { count: 2, inFile: true } },
  file: 0,
  lines: null,
}
const shown = {
  ...found,
  sentence: 'A symbolic link is created or changed.',
  detail: 'and 2 more lines of this file',
}
const then = { sentence: 'as it was worded then', detail: 'as it was detailed then' }

test('every flag has one sentence of at most 120 characters', () => {
  expect(Object.keys(FLAG_WORDS).sort()).toEqual([...Object.keys(FLAGS), 'not-read'].sort())
  for (const sentence of Object.values(FLAG_WORDS)) {
    expect(sentence).toMatch(/^[^a-fh-z].*\.$/)
    expect(sentence.length).toBeLessThanOrEqual(120)
  }
  expect(FLAG_WORDS).toMatchSnapshot()
})

test('a flag is stored with its texts, and shown with those of today', () => {
  expect(wordedFlag(found)).toEqual({ ...shown, detailMessage: found.detail })
  expect(reworded([{ ...wordedFlag(found), ...then }])).toEqual([shown])
  const bare = { ...found, detail: null }
  expect(reworded([wordedFlag(bare)])).toEqual([{ ...shown, detail: null }])
})

test('a flag of another version keeps the texts of the day', () => {
  const other = { ...shown, ...then, code: 'of-tomorrow' }
  expect(reworded([other])).toEqual([other])
  expect(reworded([{ ...other, detailMessage: { id: 'of_tomorrow', params: {} } as never }])).toEqual([other])
})
