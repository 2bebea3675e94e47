import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRedacted, redactionIndex, redactionsIn } from './redactions'

// Marks never overlap: each place was taken out once.
const marks = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 10 })), { maxLength: 20 })
  .map((gaps) => {
    let at = 0
    return gaps.map(([gap, length]) => {
      const byteStart = at + gap
      at = byteStart + length
      return { rule: 'r', byteStart, byteEnd: at }
    })
  })

test('exactly the marks that touch the range are found', () => {
  fc.assert(
    fc.property(marks, fc.nat(300), fc.nat(60), (all, start, length) => {
      expect(redactionsIn(all, start, start + length)).toEqual(
        all.filter((m) => m.byteEnd > start && m.byteStart < start + length),
      )
    }),
  )
})

test('a part that is not known holds none', () => {
  const index = redactionIndex([
    {
      received: 'a',
      redactions: [
        { rule: 'r', byteStart: 5, byteEnd: 9 },
        { rule: 'r', byteStart: 1, byteEnd: 2 },
      ],
    },
  ])
  expect(isRedacted(index, { received: 'a', byteStart: 2, byteEnd: 6 })).toBe(true)
  expect(isRedacted(index, { received: 'a', byteStart: 2, byteEnd: 5 })).toBe(false)
  expect(isRedacted(index, { received: 'b', byteStart: 0, byteEnd: 99 })).toBe(false)
})
