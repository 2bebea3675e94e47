import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FACETS, type ExecutionFilter } from './filter-types'
import { emptyFilter, formatFilter, isEmptyFilter, parseFilter, toggleFacet, unknownValues } from './filter'

const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom('a b', 'say "x"', 'c:\\d', 'outcome:failed', '\\', '"', ' ', '\n'),
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
      fc.property(filters, (filter) => void expect(parseFilter(formatFilter(filter))).toEqual({ filter, problems: [] })),
      { numRuns: 500 },
    )
  })

  test('reads any text, and what it read is written and read the same', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', 'a', 'outcome') })), (q) => {
        const { filter } = parseFilter(q)
        expect(parseFilter(formatFilter(filter))).toEqual({ filter, problems: [] })
      }),
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
  ])('%s', (q, facets, words, problems) => {
    const got = parseFilter(q)
    expect(got.filter).toEqual({ facets: { ...emptyFilter().facets, ...facets }, words })
    expect(got.problems).toHaveLength(problems)
  })

  test('names the field that there is not', () =>
    expect(parseFilter('-outcome:failed').problems).toEqual([
      '“-outcome” is not a field (outcome, source, class, repository, branch); searched as words.',
    ]))

  test.each([
    ['outcome:bogus', [expect.stringMatching(/^“bogus” is no outcome \(running, succeeded, .*\); nothing matches it\.$/)]],
    [
      'outcome:failed outcome:Failed class:exit_codes',
      [expect.stringContaining('“Failed” is no outcome'), expect.stringContaining('“exit_codes” is no failure class')],
    ],
    ['outcome:failed class:hook branch:anything repository:x source:y word', []],
  ])('says which values of %s nothing can have', (q, want) => expect(unknownValues(parseFilter(q).filter)).toEqual(want))

  test('switching a value on and off again gives the filter back', () => {
    const on = toggleFacet(emptyFilter(), 'class', 'hook')
    expect(on.facets.class).toEqual(['hook'])
    expect(isEmptyFilter(on)).toBe(false)
    expect(toggleFacet(on, 'class', 'hook')).toEqual(emptyFilter())
    expect(isEmptyFilter(emptyFilter())).toBe(true)
  })
})
