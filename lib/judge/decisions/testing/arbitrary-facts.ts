import fc from 'fast-check'
import type { DecisionFacts, Way } from '../decide'
import type { GateFacts } from '../gates'
import type { PatternFinding } from '../patterns'
import { exhaustionBy } from '../session'
import type { VerdictFacts } from '../verdict-facts'
import { CHANNELS, CLI_SUBTYPES } from '../vocabulary'
import type { WhatIf } from '../what-if'
import { withChannel } from '../what-if-edits'

/** What all facts of one attempt have in common. */
interface Agreed {
  markerSet: boolean
  patterns: readonly string[]
}

const arbitraryAgreed: fc.Arbitrary<Agreed> = fc.record({
  markerSet: fc.boolean(),
  patterns: fc.subarray(['a', 'b', 'c'], { maxLength: 2 }),
})

/** Facts that some text could have: no marker in a blank one, and nothing else beside a marker that is alone. */
const verdictFactsFor = ({ markerSet, patterns: sources }: Agreed): fc.Arbitrary<VerdictFacts> =>
  fc
    .record({
      exitCode: fc.constantFrom(0, 0, 1, -9),
      termination: fc.constantFrom('natural_exit', 'natural_exit', 'completed', 'timed_out'),
      channel: fc.constantFrom(...CHANNELS),
      subtype: fc.oneof({ weight: 2, arbitrary: fc.constant('success') }, fc.constantFrom(...CLI_SUBTYPES)),
      isError: fc.boolean(),
      text: fc.constantFrom('blank', 'text', 'text and marker', 'marker'),
      exhaustionSigns: fc.subarray(['flag', 'errors', 'result'] as const, { maxLength: 1 }),
      states: fc.tuple(arbitraryState, arbitraryState),
    })
    .map(({ text, exhaustionSigns: signs, states, ...facts }) => {
      const blank = text === 'blank'
      const marked = markerSet && (text === 'marker' || text === 'text and marker')
      const exhaustionSigns = blank ? signs.filter((sign) => sign !== 'result') : signs
      const patterns = sources.map((pattern, i) => ({ pattern, state: states[i]! }))
      return {
        ...facts,
        exitCode: facts.termination === 'timed_out' ? -1 : facts.exitCode,
        blank,
        markerSet,
        markerInResult: marked,
        markerInText: marked,
        onlyMarker: markerSet && (blank || text === 'marker'),
        exhaustionSigns,
        exhaustion: exhaustionBy(exhaustionSigns, facts),
        patterns: blank
          ? patterns.map((one) => ({
              ...one,
              state: one.state === 'found' ? ('missing' as const) : one.state,
            }))
          : patterns,
      }
    })

const arbitraryState = fc.constantFrom<PatternFinding['state']>('found', 'missing', 'missing', 'invalid')

export const arbitraryVerdictFacts: fc.Arbitrary<VerdictFacts> = arbitraryAgreed.chain(verdictFactsFor)

export const arbitraryGateFacts: fc.Arbitrary<GateFacts> = fc.record({
  contaminated: fc.option(fc.constant({ token: 'plan_path', path: '/elsewhere' }), { freq: 3 }),
  warnings: fc.nat({ max: 2 }),
  writeCount: fc.nat({ max: 2 }),
  earlierInARow: fc.option(fc.nat({ max: 5 }), { freq: 4 }),
  commandIsCut: fc.boolean(),
  maxConsecutiveRetries: fc.nat({ max: 4 }),
  expectsWrites: fc.boolean(),
})

const wayFor = (agreed: Agreed): fc.Arbitrary<Way> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: verdictFactsFor(agreed).map((verdict) => ({
        kind: 'session' as const,
        recovery: [],
        verdict,
      })),
    },
    verdictFactsFor(agreed).map((facts) => {
      const mayHaveEnded = facts.subtype === 'success' && !facts.blank && !facts.isError
      return {
        kind: 'stale' as const,
        verdict: mayHaveEnded ? { ...facts, termination: 'completed', patterns: [] } : null,
      }
    }),
    fc.constant({ kind: 'idle_stall' as const }),
    fc.constant({ kind: 'crashed' as const, why: 'an entry of errors is no text' }),
  )

const factsFor = (agreed: Agreed): fc.Arbitrary<DecisionFacts> =>
  fc.record({ way: wayFor(agreed), gates: arbitraryGateFacts })

/** With facts of their own for some channels and, for some attempts, for the end that they did not come to. */
export const arbitraryWhatIf: fc.Arbitrary<WhatIf> = arbitraryAgreed.chain((agreed) =>
  fc
    .record({
      actual: factsFor(agreed),
      hasEnd: fc.boolean(),
      ended: verdictFactsFor(agreed),
      b: factsFor(agreed),
      none: factsFor(agreed),
    })
    .map(({ actual, hasEnd, ended, b, none }) => {
      const byItself: DecisionFacts = {
        ...actual,
        way: {
          kind: 'session',
          recovery: [],
          verdict: { ...ended, termination: 'natural_exit', exitCode: 0 },
        },
      }
      return {
        actual,
        byChannel: { channel_b: withChannel(b, 'channel_b') },
        ...(hasEnd && { ended: byItself, endedByChannel: { dir_missing: withChannel(none, 'dir_missing') } }),
      }
    }),
)

/** Of a session that ended well, with its marker, and through no channel. */
export const PLAIN_FACTS: VerdictFacts = {
  exitCode: 0,
  termination: 'natural_exit',
  channel: 'unmonitored',
  subtype: 'success',
  isError: false,
  blank: false,
  exhaustion: null,
  exhaustionSigns: [],
  markerSet: true,
  markerInResult: true,
  markerInText: true,
  onlyMarker: false,
  patterns: [],
}

export const NO_GATES: GateFacts = {
  contaminated: null,
  warnings: 0,
  writeCount: 0,
  earlierInARow: null,
  commandIsCut: false,
  maxConsecutiveRetries: 3,
  expectsWrites: false,
}

export const sessionFacts = (over: Partial<VerdictFacts>, gates: Partial<GateFacts> = {}): DecisionFacts => ({
  way: { kind: 'session', recovery: [], verdict: { ...PLAIN_FACTS, ...over } },
  gates: { ...NO_GATES, ...gates },
})
