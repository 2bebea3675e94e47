import { describe, expect, test } from 'vitest'
import { readContract } from './contract-reader'
import { factsOf } from './gather-facts'
import { PeerRaises } from './python-values'
import {
  exhaustionSignsOf,
  isComplete,
  isKillAnomaly,
  resultKindOf,
  tellsExhaustion,
  type Exhaustion,
  type Session,
} from './session'
import { CLI_SUBTYPES } from './vocabulary'

const told = (over: Partial<Session>): Session => ({
  sessionId: '',
  tokenUsage: null,
  assistantMessages: [],
  toolUses: [],
  exhaustedFlag: false,
  isError: true,
  errors: [],
  subtype: 'success',
  result: '',
  ...over,
})

const exhaustionOf = (session: Session): Exhaustion | null =>
  factsOf(
    session,
    { exitCode: 0, termination: 'natural_exit', channel: 'unmonitored' },
    readContract({ marker: '', patterns: [] }),
  ).exhaustion

describe('an exhausted context', () => {
  test.each<[string, Partial<Session>, Exhaustion | null]>([
    ['the flag by itself', { exhaustedFlag: true, isError: false }, 'flag'],
    ['the flag before anything else', { exhaustedFlag: true, errors: [1] }, 'flag'],
    ['an error', { errors: ['x', 'Error: PROMPT IS TOO LONG.'], subtype: 'unknown' }, 'errors'],
    ['an error of no error', { errors: ['prompt is too long'], isError: '' }, null],
    ['an error that is no text, of no error', { errors: [1], isError: 0 }, null],
    ['an error behind the one that tells', { errors: ['prompt is too long', 1] }, 'errors'],
    ['the result of a success', { result: 'Prompt is too long' }, 'result'],
    [
      'the result of turns that ran out',
      { result: 'Prompt is too long', subtype: 'error_max_turns' },
      'result',
    ],
    [
      'the result of anything else',
      { result: 'Prompt is too long', subtype: 'error_during_execution' },
      null,
    ],
    ['the result of no error', { result: 'Prompt is too long', isError: false }, null],
    ['nothing', {}, null],
  ])('%s', (_, session, exhaustion) => expect(exhaustionOf(told(session))).toBe(exhaustion))

  test.each([[[1]], [[null, 'prompt is too long']], [['x', {}]]])(
    'errors that are not texts raise: %j',
    (errors) => {
      expect(() => exhaustionOf(told({ errors }))).toThrow(PeerRaises)
    },
  )

  test('signs stand where they do not count', () => {
    expect(
      exhaustionSignsOf({
        exhaustedFlag: true,
        isError: false,
        errors: ['prompt is too long'],
        result: 'prompt is too long',
      }),
    ).toEqual(['flag', 'errors', 'result'])
  })

  test.each([
    'prompt is too lon',
    'prompt  is too long',
    'prompt \u0130s too long',
    'prompt i\u017f too long',
  ])('%j does not tell', (text) => expect(tellsExhaustion(text)).toBe(false))
})

test('a session is complete when it is no error and did say how it ended', () => {
  const complete = CLI_SUBTYPES.filter((subtype) => isComplete({ isError: false, subtype }))
  expect(complete).toEqual([
    'success',
    'error_max_turns',
    'error_during_execution',
    'context_exhaustion',
    'interrupted',
  ])
  expect(isComplete({ isError: 'false', subtype: 'success' })).toBe(false)
})

test('a process that was killed leaves output that is not whole, or a success without a text', () => {
  const anomalies = (blank: boolean): string[] =>
    CLI_SUBTYPES.filter((subtype) => isKillAnomaly(subtype, blank))
  expect(anomalies(false)).toEqual(['empty_output', 'unparseable', 'interrupted'])
  expect(anomalies(true)).toEqual(['success', 'empty_output', 'unparseable', 'interrupted'])
})

test.each([
  [{ exhaustion: 'flag' as const, subtype: 'error_max_turns' }, 'canned_context_limit'],
  [{ exhaustion: null, subtype: 'error_max_turns' }, 'canned_turn_limit'],
  [{ exhaustion: null, subtype: 'success' }, 'text'],
])('%j is shown as %s', (session, kind) => expect(resultKindOf(session)).toBe(kind))
