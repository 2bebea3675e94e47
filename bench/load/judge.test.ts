import { describe, expect, test } from 'vitest'
import { judge, type Measured, type Rounds, rowsOf, type Target, TARGETS } from './judge'

const measured = (perSecond: number, more: Partial<Measured> = {}): Measured => ({
  answers: perSecond * 5,
  errors: 0,
  seconds: 5,
  perSecond,
  p50Ms: 1000 / perSecond,
  p95Ms: 2000 / perSecond,
  bytesPerAnswer: 4_321,
  generatorCores: 0.1,
  serverCpuMs: 5_000,
  databaseCpuMs: 500,
  ...more,
})

/** Two rounds in which the machine was half as fast in the second. */
function rounds(perSecond: Partial<Record<Target, number>>, more: Partial<Measured> = {}): Rounds {
  return Object.fromEntries(
    TARGETS.map((target) => {
      const fast = perSecond[target] ?? 300
      return [target, [measured(fast, more), measured(fast / 2, more)]]
    }),
  ) as Rounds
}

const enough = { 'list page': 101, 'execution page': 101, 'list API': 151, 'execution API': 151 }

describe('the verdict', () => {
  test('each share at its budget and memory below its own is met', () =>
    expect(judge(rounds(enough), 299)).toEqual({ met: true, misses: [] }))

  test.each([
    ['list page', 99, 'list page: 0.330 of the minimal page, not 0.33'],
    ['execution page', 50, 'execution page: 0.167 of the minimal page, not 0.33'],
    ['list API', 149, 'list API: 0.497 of the minimal route, list, not 0.50'],
    ['execution API', 100, 'execution API: 0.333 of the minimal route, execution, not 0.50'],
  ] as const)('%s at %i a second beside 300 is missed', (target, perSecond, miss) =>
    expect(judge(rounds({ ...enough, [target]: perSecond }), 299)).toEqual({ met: false, misses: [miss] }),
  )

  test('too much memory is missed; memory that is not known leaves it open', () => {
    expect(judge(rounds(enough), 301).misses).toEqual(['memory: 301 MB, not 300 MB'])
    expect(judge(rounds(enough), null)).toEqual({ met: null, misses: [] })
  })

  test('an error is a miss, however fast the answers are', () => {
    const { met, misses } = judge(rounds(enough, { errors: 1 }), 299)
    expect(met).toBe(false)
    expect(misses).toEqual([`errors: ${TARGETS.join(', ')}`])
  })

  test('a share is that of each round: a slow round slows both sides', () => {
    const uneven = rounds(enough)
    uneven['list page'] = [measured(101), measured(51)]
    expect(judge(uneven, 299).met).toBe(true)
  })
})

test('a row says the share of the reference by requests and by processor time', () => {
  const rows = rowsOf(rounds({ ...enough, 'list page': 100 }))
  expect(rows.map(({ answer }) => answer)).toEqual([...TARGETS])
  expect(rows.find(({ answer }) => answer === 'list page')).toMatchObject({
    'requests/s': 75,
    share: 0.333,
    'share, least': 0.33,
    'kB each': 4.3,
    errors: 0,
    'server CPU each, ms': 15,
    'share by CPU': 0.333,
    'database CPU each, ms': 1.5,
  })
  expect(rows.find(({ answer }) => answer === 'minimal page')).toMatchObject({
    share: null,
    'share by CPU': null,
  })
})

test('processor time that is not known is left out', () => {
  const [row] = rowsOf(rounds(enough, { serverCpuMs: null, databaseCpuMs: null }))
  expect(row).toMatchObject({ 'server CPU each, ms': null, 'database CPU each, ms': null })
})
