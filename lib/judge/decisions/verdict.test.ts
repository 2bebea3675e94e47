import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readContract } from './contract-reader'
import { factsOf } from './gather-facts'
import { CURRENT_POLICY, POLICIES, policyNamed } from './policies'
import type { Session } from './session'
import { arbitraryVerdictFacts, PLAIN_FACTS } from './testing/arbitrary-facts'
import { concludeVerdict } from './verdict'
import type { VerdictFacts } from './verdict-facts'

const NO_MARKER = { markerInResult: false, markerInText: false }
const BLANK = { blank: true, onlyMarker: true, ...NO_MARKER }
const MISSING = { patterns: [{ pattern: 'x', state: 'missing' as const }] }
const EXHAUSTED = { exhaustion: 'flag' as const, exhaustionSigns: ['flag' as const] }

/** [outcome, retry reason, subtype] */
type Words = [string, string, string]
const words = (over: Partial<VerdictFacts>, policy = CURRENT_POLICY): Words => {
  const { outcome, retryReason, subtype } = concludeVerdict({ ...PLAIN_FACTS, ...over }, policy)
  return [outcome, retryReason, subtype]
}

/** The cases of the table that operators read. */
test.each<[string, Partial<VerdictFacts>, Words]>([
  ['text and marker', {}, ['succeeded', 'none', 'success']],
  ['no marker, no channel', NO_MARKER, ['retriable', 'early_stop', 'missing_completion_marker']],
  [
    'no marker, through channel A',
    { ...NO_MARKER, channel: 'channel_a' },
    ['retriable', 'drain_race', 'missing_completion_marker'],
  ],
  [
    'anything, through channel B without patterns',
    { ...BLANK, channel: 'channel_b', isError: true, subtype: 'unparseable' },
    ['succeeded', 'none', 'success'],
  ],
  [
    'the same, with a subtype that stays',
    { channel: 'channel_b', subtype: 'error_during_execution', exitCode: 1 },
    ['succeeded', 'none', 'error_during_execution'],
  ],
  [
    'the same, with turns that ran out',
    { channel: 'channel_b', subtype: 'error_max_turns' },
    ['retriable', 'resume', 'error_max_turns'],
  ],
  ['no text, no channel', BLANK, ['retriable', 'empty_output', 'empty_result']],
  [
    'no text, through channel A',
    { ...BLANK, channel: 'channel_a' },
    ['retriable', 'drain_race', 'empty_result'],
  ],
  [
    'no text when it was stopped at its end',
    { ...BLANK, termination: 'completed', exitCode: -15 },
    ['retriable', 'resume', 'empty_result'],
  ],
  [
    'no pattern, through a channel',
    { ...MISSING, channel: 'channel_a' },
    ['failed', 'none', 'adjudicated_failure'],
  ],
  [
    'no pattern, through the other one',
    { ...MISSING, channel: 'channel_b' },
    ['failed', 'none', 'adjudicated_failure'],
  ],
  [
    'an error while it ran',
    { subtype: 'error_during_execution', exitCode: 1 },
    ['failed', 'none', 'error_during_execution'],
  ],
  ['killed behind its end', { exitCode: -9 }, ['succeeded', 'none', 'success']],
  [
    'killed without a marker',
    { exitCode: -9, ...NO_MARKER },
    ['failed', 'none', 'missing_completion_marker'],
  ],
  [
    'killed, no marker asked for',
    { exitCode: -9, markerSet: false, ...NO_MARKER },
    ['failed', 'none', 'adjudicated_failure'],
  ],
  [
    'stopped at its end',
    { exitCode: -9, termination: 'completed', markerSet: false, ...NO_MARKER },
    ['succeeded', 'none', 'success'],
  ],
  [
    'stopped before it said success',
    { exitCode: -9, termination: 'completed', subtype: 'interrupted' },
    ['retriable', 'resume', 'interrupted'],
  ],
  [
    'out of time',
    { exitCode: -1, termination: 'timed_out', subtype: 'timeout', isError: true },
    ['failed', 'none', 'timeout'],
  ],
  [
    'out of time, through channel A, without a marker',
    { exitCode: -1, termination: 'timed_out', subtype: 'interrupted', channel: 'channel_a', ...NO_MARKER },
    ['retriable', 'drain_race', 'interrupted'],
  ],
  [
    'out of time and of context',
    { exitCode: -1, termination: 'timed_out', subtype: 'timeout', ...EXHAUSTED },
    ['retriable', 'resume', 'timeout'],
  ],
  ['out of context', EXHAUSTED, ['retriable', 'resume', 'context_exhausted']],
  [
    'out of context by the words of its errors',
    { isError: true, exhaustion: 'errors', exhaustionSigns: ['errors'] },
    ['retriable', 'resume', 'adjudicated_failure'],
  ],
  ['nothing but the marker', { onlyMarker: true }, ['failed', 'none', 'adjudicated_failure']],
  ['an end that nobody knows yet', { termination: 'new_word' }, ['failed', 'none', 'adjudicated_failure']],
])('%s', (_, over, expected) => expect(words(over)).toEqual(expected))

describe('the guard at a dead end', () => {
  const channels = fc.constantFrom('channel_a', 'channel_b')

  test('promotes, under the current policy, nothing but what is absent', () => {
    fc.assert(
      fc.property(arbitraryVerdictFacts, channels, (facts, channel) => {
        const verdict = concludeVerdict({ ...facts, channel }, CURRENT_POLICY)
        const promoted = verdict.trace.some(({ rule }) => rule.startsWith('guard:dead_end_promoted'))
        expect(promoted).toBe(
          !verdict.successSignal && !verdict.retrySignal.needsRetry && verdict.contentState === 'absent',
        )
        if (promoted) expect([verdict.outcome, verdict.retryReason]).toEqual(['retriable', 'drain_race'])
      }),
    )
  })

  test('promotes nothing that no channel confirmed, under any policy', () => {
    fc.assert(
      fc.property(
        arbitraryVerdictFacts,
        fc.constantFrom('unmonitored', 'dir_missing', 'new_word'),
        fc.constantFrom(...POLICIES),
        (facts, channel, policy) => {
          const { outcome, retrySignal, trace } = concludeVerdict({ ...facts, channel }, policy)
          expect(outcome === 'retriable').toBe(retrySignal.needsRetry)
          expect(trace.filter(({ stage }) => stage === 'dead_end')).toEqual([])
        },
      ),
    )
  })

  test('differs under pr-415 in the reason alone', () => {
    fc.assert(
      fc.property(arbitraryVerdictFacts, (facts) => {
        const { trace, ...current } = concludeVerdict(facts, CURRENT_POLICY)
        const { trace: otherTrace, ...other } = concludeVerdict(facts, policyNamed('pr-415')!)
        expect(otherTrace.map(({ rule }) => rule)).toEqual(trace.map(({ rule }) => rule))
        expect(other).toEqual({
          ...current,
          retryReason: current.retryReason === 'drain_race' ? 'resume' : current.retryReason,
        })
      }),
    )
  })

  test('tried everything again before it looked at the content, and the guard alone is what changed', () => {
    fc.assert(
      fc.property(arbitraryVerdictFacts, channels, (facts, channel) => {
        const current = concludeVerdict({ ...facts, channel }, CURRENT_POLICY)
        const legacy = concludeVerdict({ ...facts, channel }, policyNamed('legacy-promote-all')!)
        expect(legacy.outcome).not.toBe('failed')
        if (current.outcome === 'succeeded' || current.retrySignal.needsRetry) expect(legacy).toEqual(current)
      }),
    )
  })
})

test('success and a retry never go together', () => {
  fc.assert(
    fc.property(arbitraryVerdictFacts, fc.constantFrom(...POLICIES), (facts, policy) => {
      const { success, needsRetry, outcome, retryReason, trace, successSignal, retrySignal } =
        concludeVerdict(facts, policy)
      expect([
        success && needsRetry,
        outcome === 'succeeded',
        outcome === 'retriable',
        retryReason === 'none',
      ]).toEqual([false, success, needsRetry, !needsRetry])
      expect(trace.some(({ rule }) => rule === 'guard:contradiction')).toBe(
        successSignal && retrySignal.needsRetry,
      )
    }),
  )
})

test('the same facts give the same verdict and trace', () => {
  fc.assert(
    fc.property(arbitraryVerdictFacts, fc.constantFrom(...POLICIES), (facts, policy) => {
      const frozen = Object.freeze(structuredClone(facts))
      expect(concludeVerdict(frozen, policy)).toEqual(concludeVerdict(structuredClone(facts), policy))
      expect(frozen).toEqual(facts)
    }),
  )
})

test('to print the marker at the end never makes a complete text absent', () => {
  const texts = fc
    .array(fc.constantFrom('word', 'M', ' ', '\n', 'M\n'), { maxLength: 5 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('', 'M', 'M M', ' M'),
      fc.subarray(['word', 'M', '^word']),
      (result, marker, patterns) => {
        const session = (text: string): Session => ({
          subtype: 'success',
          isError: false,
          result: text,
          sessionId: '',
          errors: [],
          tokenUsage: null,
          assistantMessages: [],
          toolUses: [],
          exhaustedFlag: false,
        })
        const stateOf = (text: string): string =>
          concludeVerdict(
            factsOf(session(text), PLAIN_FACTS, readContract({ marker, patterns })),
            CURRENT_POLICY,
          ).contentState
        if (stateOf(result) === 'complete') expect(stateOf(result + marker)).not.toBe('absent')
        if (stateOf(result) === 'complete') expect(stateOf(`${result}\n${marker}`)).not.toBe('absent')
      },
    ),
    { numRuns: 1_000 },
  )
})
