import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passGates, type GateFacts } from './gates'
import { arbitraryGateFacts, NO_GATES } from './testing/arbitrary-facts'

const OUTSIDE = { contaminated: { token: 'plan_path', path: '/elsewhere' } }
const success = {
  success: true,
  needsRetry: false,
  retryReason: 'none' as const,
  subtype: 'success',
  trace: [],
}
const failure = { ...success, success: false, subtype: 'adjudicated_failure' }
const retry = {
  ...success,
  success: false,
  needsRetry: true,
  retryReason: 'early_stop' as const,
  subtype: 'missing_completion_marker',
}

const pass = (verdict: Parameters<typeof passGates>[0], facts: Partial<GateFacts>) =>
  passGates(verdict, { ...NO_GATES, ...facts })

describe('the gates', () => {
  test.each<
    [string, Parameters<typeof passGates>[0], Partial<GateFacts>, [string, string, string], string[]]
  >([
    ['nothing stands in the way of a success', success, {}, ['succeeded', 'none', 'success'], []],
    [
      'a path outside takes a success back',
      success,
      OUTSIDE,
      ['retriable', 'path_contamination', 'path_contamination'],
      ['gate:path_contamination'],
    ],
    [
      'paths that calls named are told, not judged',
      success,
      { warnings: 2 },
      ['succeeded', 'none', 'success'],
      ['warn:write_paths'],
    ],
    [
      'a file that was written gives another attempt',
      failure,
      { writeCount: 1 },
      ['retriable', 'contract_recovery', 'adjudicated_failure'],
      ['gate:contract_recovery'],
    ],
    [
      'but only to what lacks its contract',
      { ...failure, subtype: 'timeout' },
      { writeCount: 1 },
      ['failed', 'none', 'timeout'],
      [],
    ],
    [
      'nothing written where it should be',
      success,
      { expectsWrites: true },
      ['retriable', 'zero_writes', 'zero_writes'],
      ['gate:zero_writes'],
    ],
    [
      'something written where it should be',
      success,
      { expectsWrites: true, writeCount: 1 },
      ['succeeded', 'none', 'success'],
      [],
    ],
    [
      'nothing written by what failed anyway',
      failure,
      { expectsWrites: true },
      ['failed', 'none', 'adjudicated_failure'],
      [],
    ],
    [
      'the third in a row',
      retry,
      { earlierInARow: 2 },
      ['retriable', 'early_stop', 'missing_completion_marker'],
      [],
    ],
    [
      'the fourth in a row',
      retry,
      { earlierInARow: 3 },
      ['failed', 'budget_exhausted', 'missing_completion_marker'],
      ['gate:budget_exhausted'],
    ],
    [
      'of a command that the history cuts',
      retry,
      { earlierInARow: 0, commandIsCut: true, maxConsecutiveRetries: 0 },
      ['retriable', 'early_stop', 'missing_completion_marker'],
      [],
    ],
    [
      'one that wrote, for the fourth time',
      failure,
      { earlierInARow: 3, writeCount: 1 },
      ['failed', 'budget_exhausted', 'adjudicated_failure'],
      ['gate:contract_recovery', 'gate:budget_exhausted'],
    ],
    [
      'a path outside, for the fourth time',
      retry,
      { ...OUTSIDE, earlierInARow: 3 },
      ['failed', 'budget_exhausted', 'path_contamination'],
      ['gate:path_contamination', 'gate:budget_exhausted'],
    ],
    [
      'a path outside after a success is counted without it',
      success,
      { ...OUTSIDE, earlierInARow: 3 },
      ['retriable', 'path_contamination', 'path_contamination'],
      ['gate:path_contamination'],
    ],
    [
      'and the row before it counts all the same',
      success,
      { ...OUTSIDE, earlierInARow: 4 },
      ['failed', 'budget_exhausted', 'path_contamination'],
      ['gate:path_contamination', 'gate:budget_exhausted'],
    ],
    [
      'nothing written, for the ninth time',
      success,
      { expectsWrites: true, earlierInARow: 9 },
      ['retriable', 'zero_writes', 'zero_writes'],
      ['gate:zero_writes'],
    ],
    [
      'a budget that is no number',
      retry,
      { earlierInARow: 9, maxConsecutiveRetries: NaN },
      ['retriable', 'early_stop', 'missing_completion_marker'],
      [],
    ],
  ])('%s', (_, verdict, facts, expected, rules) => {
    const { outcome, retryReason, subtype, trace } = pass(verdict, facts)
    expect([outcome, retryReason, subtype]).toEqual(expected)
    expect(trace.map(({ rule }) => rule)).toEqual(rules)
  })
})

const verdicts = fc.constantFrom(success, failure, retry)

test('what the history keeps is the verdict in front of the gates, but for the files that were written', () => {
  fc.assert(
    fc.property(verdicts, arbitraryGateFacts, (verdict, facts) => {
      const { recorded } = passGates(verdict, facts)
      const wrote = verdict === failure && facts.writeCount > 0
      expect(recorded).toEqual({
        success: verdict.success,
        subtype: verdict.subtype,
        needsRetry: wrote || verdict.needsRetry,
        retryReason: wrote ? 'contract_recovery' : verdict.retryReason,
      })
    }),
  )
})

test('no gate makes a success, and none asks for a retry of one', () => {
  fc.assert(
    fc.property(verdicts, arbitraryGateFacts, (verdict, facts) => {
      const gated = passGates(verdict, facts)
      expect(gated.success && !verdict.success).toBe(false)
      expect(gated.success && gated.needsRetry).toBe(false)
      expect(gated.outcome).toBe(gated.success ? 'succeeded' : gated.needsRetry ? 'retriable' : 'failed')
    }),
  )
})

test('a larger budget never stops what a smaller one lets pass', () => {
  fc.assert(
    fc.property(verdicts, arbitraryGateFacts, (verdict, facts) => {
      const more = passGates(verdict, { ...facts, maxConsecutiveRetries: facts.maxConsecutiveRetries + 1 })
      if (passGates(verdict, facts).needsRetry) expect(more.needsRetry).toBe(true)
    }),
  )
})
