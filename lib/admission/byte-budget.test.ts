import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createByteBudget } from './byte-budget'

const budgetOf = (over = {}) =>
  createByteBudget({
    bytesMax: 100,
    smallBytesMax: 20,
    smallBytes: 5,
    slowBytesPerSecond: 10,
    graceMs: 1_000,
    ...over,
  })
const nobody = (): void => {
  throw new Error('must not be evicted')
}

describe('a byte budget', () => {
  test('refuses what does not fit, and takes it once there is room', () => {
    const budget = budgetOf()
    const [a, b] = [budget.open(0, nobody), budget.open(0, nobody)]
    expect(a.grow(100, 0)).toBe(true)
    expect(b.grow(20, 0)).toBe(false)
    expect(b.bytes).toBe(0)
    a.release()
    a.release()
    expect(b.grow(20, 0)).toBe(true)
    expect(budget.held()).toBe(20)
  })

  test('keeps a way for small ones while a large one fills the rest', () => {
    const budget = budgetOf()
    expect(budget.open(0, nobody).grow(105, 0)).toBe(true)
    expect(budget.open(0, nobody).grow(6, 0)).toBe(false)
    for (let i = 0; i < 3; i++) expect(budget.open(0, nobody).grow(5, 0)).toBe(true)
    expect(budget.open(0, nobody).grow(5, 0)).toBe(false)
  })

  test('never holds more than its two parts, whatever is asked of it and given back', () => {
    const step = fc.record({ who: fc.nat(5), bytes: fc.nat(80), ms: fc.nat(3_000), end: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = budgetOf()
        let now = 0
        const shares = Array.from({ length: 6 }, () => budget.open(0, () => undefined))
        for (const { who, bytes, ms, end } of steps) {
          now += ms
          if (end) {
            shares[who]!.release()
            shares[who] = budget.open(now, () => undefined)
          } else shares[who]!.grow(bytes, now)
          expect(budget.held()).toBe(shares.reduce((sum, share) => sum + share.bytes, 0))
          expect(budget.held()).toBeLessThanOrEqual(120)
        }
        for (const share of shares) share.release()
        expect(budget.held()).toBe(0)
      }),
    )
  })

  test('ends the largest of the slow senders when others need its bytes, and nobody before', () => {
    const budget = budgetOf()
    const [small, large] = [vi.fn(), vi.fn()]
    const slow = budget.open(0, large)
    expect([slow.grow(60, 0), budget.open(0, small).grow(25, 0)]).toEqual([true, true])
    const next = budget.open(5_000, nobody)
    // 60 bytes in 5 s are 12 a second, which is fast enough; 25 are not.
    expect(next.grow(60, 5_000)).toBe(false)
    expect([small, large].map((evict) => evict.mock.calls.length)).toEqual([1, 0])
    expect(next.grow(60, 6_001)).toBe(true)
    expect(large).toHaveBeenCalledOnce()
    expect([slow.bytes, slow.grow(1, 6_001)]).toEqual([0, false])
  })

  test('leaves alone what has been sent and waits for our own work', () => {
    const budget = budgetOf()
    const done = budget.open(0, nobody)
    done.grow(100, 0)
    done.settle()
    expect(budget.open(60_000, nobody).grow(50, 60_000)).toBe(false)
  })
})
