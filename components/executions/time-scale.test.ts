import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinStretches, timeScale } from './time-scale'

const stretches = fc
  .array(
    fc.record({ from: fc.integer({ min: 0, max: 1_000_000 }), ms: fc.integer({ min: 0, max: 5_000 }) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((list) => list.map(({ from, ms }) => ({ from, to: from + ms })))

test('later is never drawn before earlier, and everything is inside', () => {
  fc.assert(
    fc.property(
      stretches,
      fc.integer({ min: 100, max: 100_000 }),
      fc.array(fc.integer({ min: 0, max: 1_010_000 })),
      (list, idle, moments) => {
        const scale = timeScale(list, idle)
        const places = moments.sort((a, b) => a - b).map(scale.place)
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(0)
          expect(place).toBeLessThanOrEqual(1)
          if (index > 0) expect(place).toBeGreaterThanOrEqual(places[index - 1]! - 1e-9)
        }
      },
    ),
  )
})

test('only idle time is cut: each cut is longer than asked for, and no stretch of work lies in one', () => {
  fc.assert(
    fc.property(stretches, fc.integer({ min: 100, max: 100_000 }), (list, idle) => {
      const scale = timeScale(list, idle)
      for (const cut of scale.cuts) {
        expect(cut.ms).toBeGreaterThan(idle)
        for (const s of list)
          expect(scale.place(s.to) <= cut.from + 1e-9 || scale.place(s.from) >= cut.to - 1e-9).toBe(true)
      }
      expect(timeScale(list, Infinity).cuts).toEqual([])
    }),
  )
})

test('a place and its moment agree', () => {
  fc.assert(
    fc.property(stretches, fc.double({ min: 0, max: 1, noNaN: true }), (list, place) => {
      const scale = timeScale(list, 1_000)
      if (scale.to > scale.from) expect(scale.place(scale.moment(place))).toBeCloseTo(place, 3)
    }),
  )
})

test('two seconds of work around a night are drawn as work', () => {
  const night = 8 * 3_600_000
  const scale = timeScale(
    [
      { from: 0, to: 1_000 },
      { from: night, to: night + 1_000 },
    ],
    60_000,
  )
  expect(scale.place(1_000)).toBeGreaterThan(0.45)
  expect(scale.cuts).toHaveLength(1)
  expect(scale.cuts[0]!.ms).toBe(night - 1_000)
})

test('nothing, and moments without time, are borne', () => {
  expect(timeScale([], 1_000).place(5)).toBe(0)
  expect(
    joinStretches(
      [
        { from: NaN, to: 4 },
        { from: 5, to: 4 },
      ],
      10,
    ),
  ).toEqual([])
  expect(timeScale([{ from: 7, to: 7 }], 10).place(7)).toBe(0)
})
