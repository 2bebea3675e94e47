import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FACETS, type ExecutionFilter, type Facet } from '@/lib/model/filter-types'
import { termsOf, toggleTerm } from './filter-edit'

const values = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 })
const filters: fc.Arbitrary<ExecutionFilter> = fc.record({
  facets: fc.record(
    Object.fromEntries(FACETS.map((facet) => [facet, values])) as Record<Facet, typeof values>,
  ),
  words: values,
})
const term = fc.record({ facet: fc.constantFrom(...FACETS, null), value: fc.string({ minLength: 1 }) })

test('toggling twice brings back the same conditions, and once changes exactly one', () => {
  fc.assert(
    fc.property(filters, term, (filter, t) => {
      const once = toggleTerm(filter, t)
      expect(Math.abs(termsOf(once).length - termsOf(filter).length)).toBe(1)
      const key = (f: ExecutionFilter): string[] =>
        termsOf(f)
          .map((x) => JSON.stringify(x))
          .sort()
      expect(key(toggleTerm(once, t))).toEqual(key(filter))
    }),
  )
})
