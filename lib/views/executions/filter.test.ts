import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FACETS, type ExecutionFilter } from '../../model/filter-types'
import {
  emptyFilter,
  formatFilter,
  isEmptyFilter,
  parseFilter,
  toggleFacet,
  unknownValues,
  wordlessTerms,
} from './filter'

const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom('a b', 'say "x"', 'c:\\d', 'outcome:failed', '\\', '"', ' ', '\n', '>1', '>'),
)
const filters = fc
  .record({
    facets: fc.record(Object.fromEntries(FACETS.map((f) => [f, fc.uniqueArray(value, { maxLength: 3 })]))),
    words: fc.uniqueArray(value, { maxLength: 4 }),
  })
  .map((f) => f as unknown as ExecutionFilter)

describe('the filter', () => {
  test('reads back what it wrote', () => {
    fc.assert(
      fc.property(
        filters,
        (filter) => void expect(parseFilter(formatFilter(filter))).toEqual({ filter, problems: [] }),
      ),
      { numRuns: 500 },
    )
  })

  test('reads any text, and what it read is written and read the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', 'a', 'outcome') })),
        (q) => {
          const { filter } = parseFilter(q)
          expect(parseFilter(formatFilter(filter))).toEqual({ filter, problems: [] })
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    [
      'outcome:failed class:exit_code repository:"a b" "read first"',
      { outcome: ['failed'], class: ['exit_code'], repository: ['a b'] },
      ['read first'],
      0,
    ],
    ['outcome:failed outcome:unknown outcome:failed', { outcome: ['failed', 'unknown'] }, [], 0],
    ['OUTCOME:failed', { outcome: ['failed'] }, [], 0],
    ['colour:red x', {}, ['colour:red', 'x'], 1],
    ['-outcome:failed', {}, ['-outcome:failed'], 1],
    ['failure_class:hook', {}, ['failure_class:hook'], 1],
    ['outcome:', {}, [], 1],
    ['12:30 -:x', {}, ['12:30', '-:x'], 0],
    ['"open quote', {}, ['open quote'], 1],
    ['"outcome:failed"', {}, ['outcome:failed'], 0],
    ['branch:feature\\ x', { branch: ['feature x'] }, [], 0],
    ['https://example.org/a', {}, ['https://example.org/a'], 1],
    ['   ', {}, [], 0],
    ['state:absent help:cannot-help', { state: ['absent'], help: ['cannot-help'] }, [], 0],
    ['attempts:>1', { attempts: ['2', '3', '4', '5+'] }, [], 0],
    ['attempts:>4 attempts:2 ATTEMPTS:>3', { attempts: ['5+', '2', '4'] }, [], 0],
    ['attempts:>0 attempts:>5 attempts:>12 attempts:>', { attempts: ['>0', '>5', '>12', '>'] }, [], 0],
    ['attempts:">1" attempts:\\>2 reason:>1', { attempts: ['>1', '>2'], reason: ['>1'] }, [], 0],
    ['-state:absent', {}, ['-state:absent'], 1],
  ])('%s', (q, facets, words, problems) => {
    const got = parseFilter(q)
    expect(got.filter).toEqual({ facets: { ...emptyFilter().facets, ...facets }, words })
    expect(got.problems).toHaveLength(problems)
  })

  test('names the field that there is not', () =>
    expect(parseFilter('-outcome:failed').problems).toEqual([
      '“-outcome” is not a field (outcome, source, attention, class, state, reason, help, decided, differs, attempts, silence, repository, branch). Searched as words.',
    ]))

  test.each([
    [
      'outcome:bogus',
      [
        expect.stringMatching(
          /^“bogus” is not a known outcome \(running, succeeded, .*\)\. Nothing matches it\.$/,
        ),
      ],
    ],
    [
      'outcome:failed outcome:Failed class:exit_codes',
      [
        expect.stringContaining('“Failed” is not a known outcome'),
        expect.stringContaining('“exit_codes” is not a known failure class'),
      ],
    ],
    [
      'state:unknown',
      [
        '“unknown” is not a known content state (complete, absent, contract_violation, session_error). Nothing matches it.',
      ],
    ],
    [
      'reason:none',
      [expect.stringContaining('“none” is not a known retry reason (resume, stale, budget_exhausted,')],
    ],
    [
      'attempts:1',
      ['“1” is not a known number of attempts (2, 3, 4, 5+, >1, >2, >3, >4). Nothing matches it.'],
    ],
    ['decided:guessed differs:no help:perhaps', [expect.any(String), expect.any(String), expect.any(String)]],
    ['state:absent reason:resume help:helped help:unknown decided:inferred differs:yes attempts:>1', []],
    ['outcome:failed class:hook branch:anything repository:x source:y word', []],
  ])('says which values of %s nothing can have', (q, want) =>
    expect(unknownValues(parseFilter(q).filter)).toEqual(want),
  )

  test('switching a value on and off again gives the filter back', () => {
    const on = toggleFacet(emptyFilter(), 'class', 'hook')
    expect(on.facets.class).toEqual(['hook'])
    expect(isEmptyFilter(on)).toBe(false)
    expect(toggleFacet(on, 'class', 'hook')).toEqual(emptyFilter())
    expect(isEmptyFilter(emptyFilter())).toBe(true)
  })
})

describe('a word of signs alone', () => {
  const told = (q: string) => wordlessTerms(parseFilter(q).filter)

  test('is said to be looked for by nothing, with what is listed then', () => {
    expect(told('((')).toEqual(['“((” has no letters or digits and was ignored. Showing all executions.'])
    expect(told('(( "— …"')).toEqual([
      '“((”, “— …” have no letters or digits and were ignored. Showing all executions.',
    ])
    expect(told('(( parcel')).toEqual(['“((” has no letters or digits and was ignored.'])
    expect(told('(( !! outcome:failed')).toEqual(['“((”, “!!” have no letters or digits and were ignored.'])
  })

  test.each(['', 'parcel', 'f(x)', '日本', '3', 'outcome:failed'])('and of “%s” nothing is said', (q) =>
    expect(told(q)).toEqual([]),
  )
})
