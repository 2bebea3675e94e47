import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adapterOf } from '@/lib/formats/adapters'
import { parsePart } from '@/lib/formats/parse-part'
import { heapPeak } from '../parity/run-memory'
import { Random } from './random'
import { formatTable } from './result'
import { writeSession } from './sessions'
import { median, noise, quantile } from './stats'

describe('figures', () => {
  test.each([
    { sample: [3], share: 0.95, want: 3 },
    { sample: [1, 2, 3, 4], share: 0.5, want: 2 },
    { sample: [4, 1, 3, 2], share: 0.75, want: 3 },
    { sample: Array.from({ length: 100 }, (_, i) => 100 - i), share: 0.95, want: 95 },
  ])('the quantile $share of $sample.length values is the value at its rank', ({ sample, share, want }) => {
    expect(quantile(sample, share)).toBe(want)
  })

  test('the median lies in the middle, and nothing is changed in the sample', () => {
    const sample = [9, 1, 5, 3]
    expect(median(sample)).toBe(4)
    expect(sample).toEqual([9, 1, 5, 3])
    expect(median([])).toBeNaN()
  })

  test('the peak of a heap is the most that it held behind the collections that were asked for', () => {
    const line = (kind: string, before: number, after: number, why: string): string =>
      `[1:0x1df]  81 ms: ${kind} ${before}.0 (4.5) -> ${after}.5 (5.5) MB, 15.29 / 0.00 ms  (average mu = 1.000) ${why}\n`
    const asked = 'testing; GC in old space requested'
    const trace = [
      line('Mark-Compact', 90, 5, asked),
      line('Mark-Compact', 5, 4, asked),
      line('Scavenge', 20, 10, 'allocation failure'),
      line('Mark-Compact (reduce)', 33, 12, 'x'),
    ]
    expect([
      heapPeak(trace.join(''), 12),
      heapPeak(trace.join(''), 40),
      heapPeak(trace.slice(0, 2).join(''), 5),
    ]).toEqual([28.5, 35.5, 0.5])
    expect(() => heapPeak(trace.slice(2).join(''), 12)).toThrow('no collection')
  })

  test('equal values have no noise', () => expect(noise([7, 7, 7])).toBe(0))
})

describe('the generator', () => {
  test('the same seed gives the same numbers, another seed others', () => {
    const take = (seed: number) =>
      Array.from({ length: 20 }, (random) => random ?? seed).map(
        (
          (r) => () =>
            r.bits()
        )(new Random(seed)),
      )
    expect(take(1)).toEqual(take(1))
    expect(take(1)).not.toEqual(take(2))
  })

  test('numbers stay within their borders', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 1_000 }), (seed, below) => {
        const random = new Random(seed)
        for (let i = 0; i < 50; i++) {
          expect(random.int(below)).toBeLessThan(below)
          expect(random.skewed(below)).toBeLessThan(below)
          const size = random.size(100, 2, 5_000)
          expect(size).toBeGreaterThanOrEqual(1)
          expect(size).toBeLessThanOrEqual(5_000)
        }
      }),
    ))

  test('ids are UUIDs', () =>
    expect(new Random(3).uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/))
})

test('invented sessions are read without an odd record, as many as were asked for, with sizes like those of real ones', async () => {
  const random = new Random(11)
  const text = Array.from({ length: 30 }, () =>
    writeSession(random, { records: 100, endsFailed: true }),
  ).join('')
  const lines = text.trimEnd().split('\n')
  const adapter = adapterOf('claude-transcript')
  const { records } = await parsePart({
    adapter,
    bytes: new TextEncoder().encode(text),
    offset: 0,
    context: adapter.start({}),
    redact: true,
    final: true,
  })
  expect(records).toHaveLength(lines.length)
  expect(records.filter((record) => record.oddReason !== undefined)).toEqual([])
  // A call and its result come together, so a session may be one record longer than asked for.
  expect(lines.length).toBeGreaterThanOrEqual(3_000)
  expect(lines.length).toBeLessThanOrEqual(3_060)
  const mean = text.length / lines.length
  expect(mean).toBeGreaterThan(1_800)
  expect(mean).toBeLessThan(3_200)
})

test('a table holds every row under its heads, and shows what is missing as a dash', () => {
  const text = formatTable([
    { what: 'a', ms: 1234.5 },
    { what: 'longer', ms: null },
  ])
  expect(text.split('\n')).toEqual([
    'what         ms',
    '------  -------',
    'a       1,234.5',
    'longer        –',
  ])
})
