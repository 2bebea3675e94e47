import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits'
import { createBackOff } from './back-off'
import { clientNetwork } from './client-network'
import { createSignInLimit } from './sign-in-limit'

const RULE = { free: 3, firstDelayMs: 1_000, maxDelayMs: 60_000, namesMax: 100 }

describe('a back-off', () => {
  /** Waits before each of so many attempts of someone who always waits just as long as needed. */
  const waits = (attempts: number): number[] => {
    const backOff = createBackOff(RULE)
    let now = 0
    return Array.from({ length: attempts }, () => {
      const wait = backOff.wait('a', now)
      now += wait
      backOff.count('a', now)
      return wait
    })
  }

  test('lets the first attempts pass, then doubles the wait up to its longest, and stays there', () => {
    expect(waits(14)).toEqual([
      0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000,
    ])
  })

  test('asks for no more than its longest wait, whatever was tried, and lets the attempt pass after it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 90_000 }), { maxLength: 200 }), (gaps) => {
        const backOff = createBackOff(RULE)
        let now = 1_000_000
        for (const gap of gaps) {
          now += gap // also backward: clocks are set
          const wait = backOff.wait('a', now)
          expect(wait).toBeLessThanOrEqual(RULE.maxDelayMs)
          expect(backOff.wait('a', now + wait)).toBe(0)
          if (wait === 0) backOff.count('a', now)
        }
      }),
    )
  })

  test('waits no longer because of attempts that were refused', () => {
    const backOff = createBackOff(RULE)
    for (let n = 0; n < 4; n++) backOff.count('a', 0)
    for (let now = 0; now < 2_000; now += 10) expect(backOff.wait('a', now)).toBe(2_000 - now)
  })

  test('forgets one attempt in its longest wait, so waiting buys nothing', () => {
    const backOff = createBackOff(RULE)
    for (let n = 0; n < 3; n++) backOff.count('a', 0)
    const later = 1_000 + RULE.maxDelayMs
    backOff.count('a', later) // two are left of three, and this one
    expect(backOff.wait('a', later)).toBe(1_000)
    // After all were forgotten there are the free ones again, and no more.
    const muchLater = 10 * RULE.maxDelayMs
    for (let n = 0; n < 3; n++) {
      expect(backOff.wait('a', muchLater)).toBe(0)
      backOff.count('a', muchLater)
    }
    expect(backOff.wait('a', muchLater)).toBe(1_000)
  })

  test('keeps so many names and no more; those in use stay', () => {
    const backOff = createBackOff(RULE)
    for (let n = 0; n < 5_000; n++) {
      backOff.count(`made up ${n}`, n)
      backOff.count('in use', n)
      expect(backOff.size()).toBeLessThanOrEqual(RULE.namesMax)
    }
    expect(backOff.wait('in use', 5_000)).toBeGreaterThan(0)
    expect(backOff.wait('made up 0', 5_000)).toBe(0)
  })

  test('takes attempts back, and forgets a name that is cleared', () => {
    const backOff = createBackOff(RULE)
    for (let n = 0; n < 3; n++) backOff.count('a', 0)
    backOff.uncount('a')
    expect(backOff.wait('a', 0)).toBe(0)
    backOff.count('a', 0)
    expect(backOff.wait('a', 0)).toBe(1_000)
    backOff.clear('a')
    expect([backOff.wait('a', 0), backOff.size()]).toEqual([0, 0])
    backOff.uncount('a')
    expect(backOff.size()).toBe(0)
  })
})

describe('the limit of sign-ins', () => {
  const ME = { account: 'ada@example.test', address: '203.0.113.1' }
  const MAX_MS = limits.signInDelaySecondsMax * 1000

  /** Attempts as often as is let, and waits for nothing else. @returns attempts that were let pass */
  function attack(
    limit: ReturnType<typeof createSignInLimit>,
    attempts: { account: string; address: string }[],
    stepMs: number,
  ): number {
    return attempts.filter((one, n) => limit.take(one, n * stepMs) === 0).length
  }

  test('lets whoever knows the password in at once while the account is attacked from elsewhere', () => {
    const other = fc.record({
      account: fc.constantFrom(ME.account, 'bo@example.test'),
      address: fc.integer({ min: 0, max: 500 }).map((n) => `198.51.${n >> 8}.${n & 255}`),
    })
    fc.assert(
      fc.property(fc.array(other, { maxLength: 400 }), fc.nat(2_000), (attempts, stepMs) => {
        const limit = createSignInLimit()
        attack(limit, attempts, stepMs)
        expect(limit.take(ME, attempts.length * stepMs)).toBe(0)
      }),
    )
  })

  test('lets them in within the longest wait also after typing errors of their own', () => {
    const limit = createSignInLimit()
    attack(
      limit,
      Array.from({ length: 1_000 }, (_, n) => ({ ...ME, address: `198.51.100.${n % 250}` })),
      1,
    )
    let now = 1_000
    for (let errors = 0; errors < 3; errors++) {
      const wait = limit.take(ME, now)
      expect(wait).toBeLessThanOrEqual(4_000)
      if (wait > 0) expect(limit.take(ME, (now += wait))).toBe(0)
    }
    limit.succeed(ME)
    expect(limit.take(ME, now)).toBe(0)
  })

  test('slows each address down sooner while the account is attacked from many', () => {
    const limit = createSignInLimit()
    const from = (n: number) => ({ ...ME, address: `198.51.100.${n}` })
    for (let n = 0; n <= limits.signInAttemptsPerAccount; n++) expect(limit.take(from(n), 0)).toBe(0)
    expect(limit.take(from(200), 0)).toBe(0)
    expect(limit.take(from(200), 0)).toBe(limits.signInDelaySecondsMin * 1000)
    // Another account is as free as ever.
    for (let n = 0; n < limits.signInAttemptsFree; n++)
      expect(limit.take({ account: 'bo@example.test', address: '198.51.100.200' }, 0)).toBe(0)
    // And this one again, once the attack has been forgotten.
    const later = 20 * MAX_MS
    for (let n = 0; n < limits.signInAttemptsFree; n++) expect(limit.take(from(200), later)).toBe(0)
  })

  test('lets one address guess no more than once in the longest wait, in the long run', () => {
    const limit = createSignInLimit()
    const passed = attack(limit, Array<typeof ME>(24 * 3600).fill(ME), 1_000)
    expect(passed).toBeLessThan(limits.signInAttemptsFree + 10 + (24 * 3600) / limits.signInDelaySecondsMax)
    expect(passed).toBeGreaterThan(1_000)
  })

  test('counts what one address attempts on many accounts, and one success of its own forgets none of it', () => {
    const limit = createSignInLimit()
    const own = { account: 'eve@example.test', address: '192.0.2.66' }
    let passed = 0
    for (let n = 0; n < 200; n++) {
      if (limit.take({ account: `${n}@example.test`, address: own.address }, 0) === 0) passed++
      if (limit.take(own, 0) === 0) limit.succeed(own)
    }
    expect(passed).toBe(limits.signInAttemptsPerAddress)
    expect(limit.take(ME, 0)).toBe(0)
  })

  describe('in a crowded address', () => {
    const crowd = (limit: ReturnType<typeof createSignInLimit>) => {
      for (let n = 0; n < limits.signInAttemptsPerAddress; n++)
        limit.take({ account: `${n}@example.test`, address: ME.address }, 0)
      expect(limit.isCrowded(ME.address, 0)).toBe(true)
      return limit
    }
    const MINE = { ...ME, crowded: true }

    test('lets an account in that nobody attacks, whatever is tried on others', () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 1_000 }), (others) => {
          const limit = crowd(createSignInLimit())
          for (const n of others) limit.take({ ...MINE, account: `${n}@example.test` }, 0)
          expect(limit.take(MINE, 0)).toBe(0)
          limit.succeed(MINE)
          expect(limit.take(MINE, 0)).toBe(0)
        }),
      )
    })

    test('lets an account be guessed no more than once in the longest wait, in the long run', () => {
      const limit = crowd(createSignInLimit())
      const passed = attack(limit, Array<typeof MINE>(24 * 3600).fill(MINE), 1_000)
      expect(passed).toBeLessThan(10 + (24 * 3600) / limits.signInDelaySecondsMax)
      expect(passed).toBeGreaterThan(1_000)
    })

    test('a success forgets nothing of the address, and made-up accounts push out no other count', () => {
      const limit = createSignInLimit()
      attack(limit, Array<typeof ME>(limits.signInAttemptsFree).fill(ME), 0)
      crowd(limit)
      for (let n = 0; n < 2 * limits.signInNamesMax; n++) {
        const made = { account: `made up ${n}`, address: ME.address, crowded: true }
        limit.take(made, 0)
        limit.succeed(made)
        limit.take(made, 0)
      }
      expect(limit.isCrowded(ME.address, 0)).toBe(true)
      expect(limit.take(MINE, 0)).toBeGreaterThan(0)
    })
  })

  test('counts many at once before any of them is checked', () => {
    const limit = createSignInLimit()
    expect(attack(limit, Array<typeof ME>(100).fill(ME), 0)).toBe(limits.signInAttemptsFree)
  })

  test('takes back what could not be checked', () => {
    const limit = createSignInLimit()
    for (let n = 0; n < 100; n++) {
      expect(limit.take(ME, 0)).toBe(0)
      limit.takeBack(ME)
    }
  })

  test('counts a network of IPv6 as one address', () => {
    const limit = createSignInLimit()
    const passed = attack(
      limit,
      Array.from({ length: 100 }, (_, n) => ({ ...ME, address: `2001:db8::${(n + 1).toString(16)}` })),
      0,
    )
    expect(passed).toBe(limits.signInAttemptsFree)
    expect(limit.take({ ...ME, address: '2001:db8:0:1::1' }, 0)).toBe(0)
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['', ''],
])('the network of %s is %s', (address, want) => expect(clientNetwork(address)).toBe(want))
