import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentFaultOf, contentStateOf } from './content-state'
import { arbitraryVerdictFacts, PLAIN_FACTS } from './testing/arbitrary-facts'
import type { VerdictFacts } from './verdict-facts'

const MISSING = { pattern: 'x', state: 'missing' as const }
const NO_MARKER = { markerInResult: false, markerInText: false }
const BLANK = { blank: true, onlyMarker: true, ...NO_MARKER }

describe('the first test that holds wins', () => {
  test.each<[string, Partial<VerdictFacts>, string, string | null]>([
    ['all there', {}, 'complete', null],
    ['no marker and no pattern asked for', { markerSet: false, ...NO_MARKER }, 'complete', null],
    [
      'an error, before anything else',
      { isError: true, ...BLANK, patterns: [MISSING] },
      'session_error',
      'is_error',
    ],
    [
      'no text, before the marker and the patterns',
      { ...BLANK, patterns: [MISSING] },
      'absent',
      'empty_result',
    ],
    [
      'no text where nothing was asked for',
      { ...BLANK, markerSet: false, onlyMarker: false },
      'absent',
      'empty_result',
    ],
    [
      'no marker, before the patterns',
      { ...NO_MARKER, patterns: [MISSING] },
      'absent',
      'completion_marker_absent',
    ],
    [
      'a marker in the white space around the text alone',
      { markerInText: false },
      'absent',
      'completion_marker_absent',
    ],
    [
      'a pattern that is missing',
      { patterns: [{ pattern: 'y', state: 'found' }, MISSING] },
      'contract_violation',
      'expected_artifact_absent',
    ],
    [
      'a pattern that cannot be compiled',
      { patterns: [{ pattern: '(', state: 'invalid' }] },
      'contract_violation',
      'expected_artifact_absent',
    ],
    [
      'a pattern of which our engine cannot tell',
      { patterns: [{ pattern: '(?=x)', state: 'differs' }] },
      'contract_violation',
      'expected_artifact_absent',
    ],
    ['patterns that are found', { patterns: [{ pattern: 'y', state: 'found' }] }, 'complete', null],
    [
      'nothing but the marker is complete, and faulty',
      { onlyMarker: true },
      'complete',
      'result_is_only_marker',
    ],
    ['a subtype that failed is complete, and faulty', { subtype: 'timeout' }, 'complete', 'failure_subtype'],
    ['turns that ran out are no fault of the content', { subtype: 'error_max_turns' }, 'complete', null],
  ])('%s', (_, over, state, fault) => {
    const facts = { ...PLAIN_FACTS, ...over }
    expect([contentStateOf(facts), contentFaultOf(facts)]).toEqual([state, fault])
  })
})

test('what is without fault is complete', () => {
  fc.assert(
    fc.property(arbitraryVerdictFacts, (facts) => {
      if (contentFaultOf(facts) === null) expect(contentStateOf(facts)).toBe('complete')
    }),
  )
})
