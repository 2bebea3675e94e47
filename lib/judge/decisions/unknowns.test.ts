import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UNKNOWN, type VerdictWords } from './decision'
import { CURRENT_POLICY, POLICIES } from './policies'
import { gatherPossible, type PartialContext } from './possible-facts'
import { arbitraryEvidence, decidedOn, EMPTY_RUN, MARKER, resultLine } from './testing/arbitrary-evidence'
import { decideWithUnknowns } from './unknowns'
import { parseStdout } from './testing/whole-output'
import type { RunEvidence } from './testing/whole-output'

const HIDABLE = ['exitCode', 'termination', 'channel', 'marker', 'patterns'] as const
type Hidable = (typeof HIDABLE)[number]
const WORDS = [
  'contentState',
  'outcome',
  'retryReason',
  'subtype',
] as const satisfies readonly (keyof VerdictWords)[]

const hide = (evidence: RunEvidence, names: readonly Hidable[]): PartialContext => ({
  ...evidence,
  ...Object.fromEntries(names.map((name) => [name, null])),
})

const partly = (evidence: Partial<RunEvidence>, names: readonly Hidable[]) => {
  const whole = { ...EMPTY_RUN, ...evidence }
  return decideWithUnknowns(gatherPossible(hide(whole, names), parseStdout(whole.stdout)), CURRENT_POLICY)
}

describe('what is known in spite of a missing input', () => {
  test.each<[string, Partial<RunEvidence>, Hidable[], Partial<VerdictWords>]>([
    [
      'nothing printed without a channel is tried again, whatever was agreed on',
      {},
      ['marker', 'patterns'],
      { outcome: 'retriable', retryReason: 'empty_output', subtype: 'empty_output' },
    ],
    [
      'without the marker nobody knows whether a text is complete',
      { stdout: resultLine({}) },
      ['marker'],
      { contentState: UNKNOWN, outcome: UNKNOWN },
    ],
    [
      'an error is one, whatever else was to be found',
      { stdout: resultLine({ is_error: true }) },
      ['patterns', 'exitCode'],
      { contentState: 'session_error', outcome: 'failed', subtype: 'adjudicated_failure' },
    ],
    [
      'the exit code does not count beside a marker',
      { stdout: resultLine({ result: `done ${MARKER}` }), marker: MARKER },
      ['exitCode'],
      { contentState: 'complete', outcome: 'succeeded' },
    ],
    [
      'and does without one',
      { stdout: resultLine({}) },
      ['exitCode'],
      { contentState: 'complete', outcome: UNKNOWN },
    ],
    [
      'turns that ran out are resumed, however it ended by itself',
      { stdout: resultLine({ subtype: 'error_max_turns', is_error: true }), channel: 'channel_a' },
      ['exitCode', 'marker', 'patterns'],
      { outcome: 'retriable', retryReason: 'resume' },
    ],
    [
      'what stood still is not looked at',
      { termination: 'idle_stall' },
      ['exitCode', 'channel', 'marker', 'patterns'],
      { contentState: UNKNOWN, outcome: 'retriable', retryReason: 'stale', subtype: 'idle_stall' },
    ],
  ])('%s', (_, evidence, names, expected) => expect(partly(evidence, names)).toMatchObject(expected))

  test('each missing input is named', () => {
    expect(partly({}, HIDABLE).missing).toEqual(['exit code', 'termination', 'channel', 'marker', 'patterns'])
    expect(partly({}, []).missing).toEqual([])
  })

  test('a subtype that itself reads unknown is told from one that is not known', () => {
    const known = partly({ stdout: resultLine({ subtype: 'odd', is_error: true }) }, [])
    expect([known.subtype, known.could.subtype]).toEqual(['unknown', ['unknown']])
  })
})

describe('to know more', () => {
  const evidenceAndNames = fc.tuple(arbitraryEvidence, fc.subarray([...HIDABLE]))

  test('never takes back what was known: the whole evidence gives a verdict that was possible', () => {
    fc.assert(
      fc.property(evidenceAndNames, fc.constantFrom(...POLICIES), ([evidence, names], policy) => {
        const possible = gatherPossible(hide(evidence, names), parseStdout(evidence.stdout))
        const { could, ...known } = decideWithUnknowns(possible, policy)
        const whole = decidedOn(evidence, policy)
        for (const word of WORDS) {
          expect(could[word]).toContain(whole[word] ?? UNKNOWN)
          if (could[word].length === 1) expect(known[word]).toBe(whole[word] ?? UNKNOWN)
          else expect(known[word]).toBe(UNKNOWN)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('never makes more possible', () => {
    fc.assert(
      fc.property(evidenceAndNames, fc.nat(), ([evidence, names], pick) => {
        const parsed = parseStdout(evidence.stdout)
        const less = decideWithUnknowns(gatherPossible(hide(evidence, names), parsed), CURRENT_POLICY)
        const more = decideWithUnknowns(
          gatherPossible(
            hide(
              evidence,
              names.filter((_, i) => i !== pick % names.length),
            ),
            parsed,
          ),
          CURRENT_POLICY,
        )
        for (const word of WORDS) for (const one of more.could[word]) expect(less.could[word]).toContain(one)
      }),
      { numRuns: 150 },
    )
  })
})
