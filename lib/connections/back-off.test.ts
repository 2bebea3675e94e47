import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits'
import { nextPollMs } from './back-off'

const wait = (failures: number, more: Partial<Parameters<typeof nextPollMs>[0]> = {}) =>
  nextPollMs({ intervalSeconds: 60, failures, random: 0.999999, ...more }) / 1000

test('each failure doubles the wait, up to the limit', () => {
  expect([0, 1, 2, 3, 4].map((failures) => Math.round(wait(failures)))).toEqual([60, 120, 240, 480, 960])
  expect(Math.round(wait(1000))).toBe(limits.pollBackOffSecondsMax)
  expect(Math.round(wait(1000, { intervalSeconds: 80_000 }))).toBe(80_000)
})

test('it is never shorter than what the server asked for, within a day', () => {
  expect(wait(1, { retryAfterMs: 3_600_000 })).toBe(3600)
  expect(wait(1, { retryAfterMs: 1e12 })).toBe(86_400)
})

test('chance takes half of it at most', () => {
  const arbitrary = {
    intervalSeconds: fc.integer({ min: 1, max: 86_400 }),
    failures: fc.integer({ min: 1, max: 10_000 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }
  fc.assert(
    fc.property(fc.record(arbitrary), (given) => {
      const [least, most] = [nextPollMs({ ...given, random: 0 }), nextPollMs({ ...given, random: 1 })]
      const ms = nextPollMs(given)
      expect(ms >= least && ms <= most && most <= 2 * least + 1 && least >= 500).toBe(true)
    }),
  )
})
