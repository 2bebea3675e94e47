import { expect, test } from 'vitest'
import { durationWords, limitWords } from './duration'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [90, '90 seconds'],
  [119.6, '2 min 00 s'],
  [606, '10 min 06 s'],
  [900, '15 min 00 s'],
  [7_500, '2 h 05 min'],
])('%s seconds are %s', (seconds, words) => expect(durationWords(seconds)).toBe(words))

test.each([
  [1.5, '1.5 seconds'],
  [900, '15 min 00 s'],
])('a limit of %s is %s', (limit, words) => expect(limitWords(limit)).toBe(words))
