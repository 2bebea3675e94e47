import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OUTCOMES } from '../../model/execution'
import { FACETS, type ExecutionFilter, type Facet } from '../../model/filter-types'
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
      { id: 'unknown_field', params: { field: '-outcome', known: FACETS } },
    ]))

  const unknown = (facet: Facet, value: string, known: unknown = expect.any(Array)) => ({
    id: 'unknown_value',
    params: { value, facet, known },
  })
  test.each([
    ['outcome:bogus', [unknown('outcome', 'bogus', OUTCOMES)]],
    [
      'outcome:failed outcome:Failed class:exit_codes',
      [unknown('outcome', 'Failed'), unknown('class', 'exit_codes')],
    ],
    [
      'state:unknown',
      [unknown('state', 'unknown', ['complete', 'absent', 'contract_violation', 'session_error'])],
    ],
    ['reason:none', [unknown('reason', 'none')]],
    ['attempts:1', [unknown('attempts', '1', ['2', '3', '4', '5+', '>1', '>2', '>3', '>4'])]],
    [
      'decided:guessed differs:no help:perhaps',
      [unknown('help', 'perhaps'), unknown('decided', 'guessed'), unknown('differs', 'no')],
    ],
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
  const ignored = (listsAll: boolean, ...words: string[]) => [
    { id: 'nothing_to_search', params: { words, listsAll } },
  ]

  test('is said to be looked for by nothing, with what is listed then', () => {
    expect(told('((')).toEqual(ignored(true, '(('))
    expect(told('(( "— …"')).toEqual(ignored(true, '((', '— …'))
    expect(told('(( parcel')).toEqual(ignored(false, '(('))
    expect(told('(( !! outcome:failed')).toEqual(ignored(false, '((', '!!'))
  })

  test.each(['', 'parcel', 'f(x)', '日本', '3', 'outcome:failed'])('and of “%s” nothing is said', (q) =>
    expect(told(q)).toEqual([]),
  )
})
