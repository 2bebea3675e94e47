import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, type DecisionFacts } from './decide'
import { CURRENT_POLICY, POLICIES } from './policies'
import { arbitraryVerdictFacts, arbitraryWhatIf, sessionFacts } from './testing/arbitrary-facts'
import { bruteForce, idsOf } from './testing/brute-force'
import type { VerdictFacts } from './verdict-facts'
import { applyChanges, changesOf, smallestSuccess, type WhatIf } from './what-if'

const session = (over: Partial<VerdictFacts> = {}): WhatIf => ({ actual: sessionFacts(over), byChannel: {} })
const change = (whatIf: WhatIf, id: string) => changesOf(whatIf).find((one) => one.id === id)!
const verdictIn = ({ way }: DecisionFacts) => (way.kind === 'session' ? way.verdict : null)

describe('what a change does', () => {
  const blank = { blank: true, markerInResult: false, markerInText: false, onlyMarker: true }

  test.each([
    [
      'a marker that is printed into a blank text is alone',
      blank,
      ['marker:printed'],
      { blank: false, markerInText: true, onlyMarker: true },
    ],
    [
      'text beside that marker',
      blank,
      ['marker:printed', 'text:there'],
      { blank: false, markerInText: true, onlyMarker: false },
    ],
    [
      'without its only marker the text is blank',
      { onlyMarker: true },
      ['marker:omitted'],
      { ...blank, onlyMarker: true },
    ],
    [
      'a text is there when something is found in it',
      { ...blank, patterns: [{ pattern: 'x', state: 'missing' as const }] },
      ['pattern 0:found'],
      { blank: false, onlyMarker: false },
    ],
    [
      'nothing is found in a blank text',
      { patterns: [{ pattern: 'x', state: 'found' as const }] },
      ['text:blank'],
      { patterns: [{ pattern: 'x', state: 'missing' }] },
    ],
    [
      'errors that tell of exhaustion count no more',
      { isError: true, exhaustionSigns: ['errors' as const], exhaustion: 'errors' as const },
      ['error:cleared'],
      { exhaustion: null },
    ],
    ['and count again', { exhaustionSigns: ['result' as const] }, ['error:set'], { exhaustion: 'result' }],
    [
      'output that could be read has no error that stands for its absence',
      { subtype: 'unparseable', isError: true },
      ['subtype:success'],
      { isError: false },
    ],
    [
      'a record of its own keeps its error',
      { subtype: 'interrupted', isError: true },
      ['subtype:success'],
      { isError: true },
    ],
    [
      'it ends by itself, not stopped behind its end',
      { termination: 'completed', exitCode: -15 },
      ['ended'],
      { termination: 'natural_exit', exitCode: 0 },
    ],
  ])('%s', (_, facts, ids, expected) => {
    const whatIf = session(facts)
    expect(
      verdictIn(
        applyChanges(
          whatIf,
          ids.map((id) => change(whatIf, id)),
        ),
      ),
    ).toMatchObject(expected)
  })

  test('a change that is offered changes something, and only once', () => {
    fc.assert(
      fc.property(arbitraryWhatIf, (whatIf) => {
        for (const one of changesOf(whatIf)) {
          const changed = applyChanges(whatIf, [one])
          // What is not looked at has no channel that shows.
          if (one.of !== 'channel' && one.of !== 'end') expect(changed, one.id).not.toEqual(whatIf.actual)
          expect(changesOf(whatIf, [one]).map(({ of }) => of)).not.toContain(one.of)
        }
      }),
    )
  })

  test('facts keep to each other under any changes', () => {
    fc.assert(
      fc.property(arbitraryVerdictFacts, fc.infiniteStream(fc.nat()), (verdict, picks) => {
        const whatIf: WhatIf = {
          actual: { ...sessionFacts({}), way: { kind: 'session', recovery: [], verdict } },
          byChannel: {},
        }
        const chosen = [...picks.take(4)].reduce<ReturnType<typeof changesOf>>((sofar, pick) => {
          const offered = changesOf(whatIf, sofar)
          // Of a blank attempt that was stopped for its time little more can be otherwise.
          return offered.length === 0 ? sofar : [...sofar, offered[pick % offered.length]!]
        }, [])
        const facts = verdictIn(applyChanges(whatIf, chosen))!
        if (facts.blank)
          expect([facts.markerInResult, facts.markerInText, facts.onlyMarker]).toEqual([
            false,
            false,
            facts.markerSet,
          ])
        if (facts.blank) expect(facts.patterns.filter(({ state }) => state === 'found')).toEqual([])
        if (facts.onlyMarker && !facts.blank) expect(facts.markerInText).toBe(true)
        if (!facts.markerSet)
          expect([facts.markerInResult, facts.markerInText, facts.onlyMarker]).toEqual([false, false, false])
        if (facts.termination === 'timed_out') expect(facts.exitCode).toBe(-1)
        if (facts.exhaustion === 'result' || facts.exhaustion === 'errors') expect(facts.isError).toBe(true)
      }),
    )
  })

  test('the order in which changes are chosen makes no difference', () => {
    fc.assert(
      fc.property(arbitraryWhatIf, (whatIf) => {
        const offered = changesOf(whatIf)
        for (const [i, one] of offered.entries())
          for (const other of offered.slice(i + 1))
            if (one.of !== other.of)
              expect(applyChanges(whatIf, [one, other])).toEqual(applyChanges(whatIf, [other, one]))
      }),
      { numRuns: 30 },
    )
  })
})

describe('the smallest sets of changes that make a success', () => {
  test.each([
    ['a success needs none', session(), [[]]],
    [
      'a missing marker',
      session({ markerInResult: false, markerInText: false }),
      [['marker:printed'], ['channel:channel_b']],
    ],
    [
      'a pattern beside a marker that is alone',
      session({ onlyMarker: true, patterns: [{ pattern: 'x', state: 'missing' }] }),
      [['pattern 0:found']],
    ],
    [
      'too many things',
      session({
        channel: 'channel_a',
        isError: true,
        patterns: [...'abcde'].map((pattern) => ({ pattern, state: 'missing' as const })),
      }),
      [],
    ],
  ])('%s', (_, whatIf, expected) => {
    const ids = smallestSuccess(whatIf, CURRENT_POLICY).map((set) => set.map(({ id }) => id))
    expect(ids.toSorted()).toEqual(expected.toSorted())
  })

  test('are those that a search through all sets finds', () => {
    fc.assert(
      fc.property(arbitraryWhatIf, fc.constantFrom(...POLICIES), (whatIf, policy) => {
        const found = smallestSuccess(whatIf, policy)
        expect(idsOf(found)).toEqual(idsOf(bruteForce(whatIf, policy)))
        for (const set of found) expect(decide(applyChanges(whatIf, set), policy).outcome).toBe('succeeded')
      }),
      { numRuns: 60 },
    )
  })
})
