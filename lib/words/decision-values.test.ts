import { expect, test } from 'vitest'
import {
  inReadingOrder,
  nameWords,
  reasonIn,
  retryReasonWords,
  subtypeWords,
  terminationWords,
  channelWords,
  valueWords,
} from './decision-values'
import { CHANNELS, CLI_SUBTYPES, RETRY_REASONS, TERMINATIONS } from '../judge/decisions/vocabulary'

test('every word of the wire reads as words', () => {
  for (const [words, codes] of [
    [retryReasonWords, RETRY_REASONS],
    [subtypeWords, CLI_SUBTYPES],
    [terminationWords, TERMINATIONS],
    [channelWords, CHANNELS],
  ] as const)
    for (const code of codes) expect(words(code), code).not.toMatch(/_/)
})

test('a word that only a newer source knows reads as itself', () => {
  expect(retryReasonWords('thinking_stall')).toBe('thinking stall')
  expect(nameWords('exit_category')).toBe('Exit category')
  expect(valueWords('termination', 'process_killed')).toEqual([
    { text: 'process killed', code: 'process_killed', quoted: false },
  ])
})

test('a value of ours has its code beside it, text of the run is quoted', () => {
  expect(valueWords('termination', 'timed_out')).toEqual([
    { text: 'timed out', code: 'timed_out', quoted: false },
  ])
  expect(valueWords('marker', '%%UP%%')).toEqual([{ text: '%%UP%%', code: null, quoted: true }])
  expect(valueWords('marker', '')).toEqual([{ text: 'none required', code: null, quoted: false }])
  expect(valueWords('patterns_missing', ['a', 'b']).map(({ text }) => text)).toEqual(['a', 'b'])
  expect(valueWords('is_error', false)).toEqual([{ text: 'no', code: null, quoted: false }])
  expect(valueWords('channel', null)).toEqual([{ text: 'not recorded', code: null, quoted: false }])
})

test('the reason that a rule gave is read from the end of its effect', () => {
  expect(reasonIn({ effect: 'retriable, drain_race' })).toBe('drain_race')
  expect(reasonIn({ effect: 'success taken back, retriable' })).toBeNull()
  expect(reasonIn({ effect: 'no retry' })).toBeNull()
})

test('values stand in the order in which one asks, whatever order they came in', () => {
  expect(inReadingOrder({ zzz: 1, channel: 2, exit_code: 3, termination: 4 }).map(([name]) => name)).toEqual([
    'termination',
    'exit_code',
    'channel',
    'zzz',
  ])
})
