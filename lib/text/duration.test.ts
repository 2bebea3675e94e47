import { expect, test } from 'vitest'
import { durationWords, timeUpWords } from './duration'

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
  [null, 'The time was up'],
  [undefined, 'The time was up'],
  [10, 'Its limit of 10 seconds was up'],
  [1, 'Its limit of 1 second was up'],
  [1.5, 'Its limit of 1.5 seconds was up'],
  [900, 'Its limit of 15 min 00 s was up'],
])('a limit of %s: %s', (limit, words) => expect(timeUpWords(limit)).toBe(words))
