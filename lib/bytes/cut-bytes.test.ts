import { expect, test } from 'vitest'
import { cutBytes } from './cut-bytes'

test.each([
  ['aaa', 3, 'aaa'],
  ['aééé', 4, 'aé…(truncated)'],
  ['🧨🧨', 7, '🧨…(truncated)'],
  ['\ufeffaaaa', 4, '\ufeffa…(truncated)'],
])('%j is cut to %i bytes on a character boundary, with a mark', (text, max, cut) =>
  expect(cutBytes(text, max)).toBe(cut),
)
