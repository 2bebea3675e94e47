import { expect, test } from 'vitest'
import { contentStateWords } from './content-states'

test.each([
  ['absent', 'Absent'],
  ['absent|session_error', 'Absent or session error'],
  ['contract_violation|session_error|complete', 'Contract violation, session error or complete'],
  ['of_tomorrow', 'of_tomorrow'],
  ['toString|absent', 'toString or absent'],
])('%s', (word, words) => expect(contentStateWords(word)).toBe(words))
