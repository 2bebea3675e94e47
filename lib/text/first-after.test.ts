import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstAfter } from './first-after'

test('finds the first thing behind a place, as looking at each in turn does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: -1, max: 21 }),
      (places, place) => {
        const list = places.toSorted((a, b) => a - b).map((at) => ({ at }))
        const found = list.findIndex((one) => one.at > place)
        expect(firstAfter(list, place, (one) => one.at)).toBe(found < 0 ? list.length : found)
      },
    ),
  )
})
