import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, type DecisionFacts } from './decide'
import { CURRENT_POLICY, POLICIES } from './policies'
import { step } from '../../model/rule-step'
import { arbitraryWhatIf, NO_GATES, PLAIN_FACTS, sessionFacts } from './testing/arbitrary-facts'

const words = (facts: DecisionFacts) => {
  const { contentState, outcome, retryReason, subtype, trace } = decide(facts, CURRENT_POLICY)
  return { words: [contentState, outcome, retryReason, subtype], rules: trace.map(({ rule }) => rule) }
}
const ended = { ...PLAIN_FACTS, termination: 'completed' }

describe('the ways of an attempt', () => {
  test.each<[string, DecisionFacts, (string | null)[], string[]]>([
    [
      'its session',
      sessionFacts({}),
      ['complete', 'succeeded', 'none', 'success'],
      ['content:ok', 'retry:none'],
    ],
    [
      'silent, ended after all',
      { way: { kind: 'stale', verdict: ended }, gates: { ...NO_GATES, earlierInARow: 9 } },
      [null, 'succeeded', 'none', 'recovered_from_stale'],
      ['content:ok', 'stale:recovered'],
    ],
    [
      'silent, ended badly',
      { way: { kind: 'stale', verdict: { ...ended, onlyMarker: true } }, gates: NO_GATES },
      [null, 'retriable', 'stale', 'stale'],
      ['content:fail:result_is_only_marker'],
    ],
    [
      'silent',
      { way: { kind: 'stale', verdict: null }, gates: NO_GATES },
      [null, 'retriable', 'stale', 'stale'],
      [],
    ],
    [
      'silent, too often',
      { way: { kind: 'stale', verdict: null }, gates: { ...NO_GATES, earlierInARow: 3 } },
      [null, 'failed', 'budget_exhausted', 'stale'],
      ['gate:budget_exhausted'],
    ],
    [
      'standing still',
      { way: { kind: 'idle_stall' }, gates: NO_GATES },
      [null, 'retriable', 'stale', 'idle_stall'],
      ['idle_stall:killed'],
    ],
    [
      'standing still, whatever it wrote',
      {
        way: { kind: 'idle_stall' },
        gates: { ...NO_GATES, contaminated: { token: 't', path: '/x' }, expectsWrites: true, warnings: 1 },
      },
      [null, 'retriable', 'stale', 'idle_stall'],
      ['idle_stall:killed'],
    ],
    [
      'crashed, and not tried again',
      { way: { kind: 'crashed', why: 'x' }, gates: { ...NO_GATES, earlierInARow: 9 } },
      [null, 'failed', 'none', 'crashed'],
      [],
    ],
  ])('%s', (_, facts, expected, rules) => expect(words(facts)).toEqual({ words: expected, rules }))

  test('recovery comes first in the trace, the gates last', () => {
    const facts = sessionFacts({}, { expectsWrites: true })
    const recovered: DecisionFacts = {
      ...facts,
      way: {
        ...(facts.way as Extract<DecisionFacts['way'], { kind: 'session' }>),
        recovery: [step('recovery', 'recover:pattern_block', {}, '')],
      },
    }
    expect(words(recovered).rules).toEqual([
      'recover:pattern_block',
      'content:ok',
      'retry:none',
      'gate:zero_writes',
    ])
  })
})

test('the same facts give the same decision, kept as JSON or not, and stay as they were', () => {
  fc.assert(
    fc.property(arbitraryWhatIf, fc.constantFrom(...POLICIES), ({ actual }, policy) => {
      const copy = JSON.parse(JSON.stringify(actual)) as DecisionFacts
      expect(decide(actual, policy)).toEqual(decide(copy, policy))
      expect(actual).toEqual(copy)
    }),
  )
})

test('whether it succeeds is the same under each policy', () => {
  fc.assert(
    fc.property(arbitraryWhatIf, ({ actual }) => {
      expect(new Set(POLICIES.map((policy) => decide(actual, policy).success)).size).toBe(1)
    }),
  )
})
