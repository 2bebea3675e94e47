import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBacklog } from './backlog'
import { formatLiveEvent } from './event'

test('an event is one event, whatever its id holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (id, serial) => {
      const lines = formatLiveEvent({ type: 'execution', id }, `run-${serial}`).split('\n')
      expect(lines).toHaveLength(5)
      expect(lines.slice(0, 2)).toEqual(['event: change', `id: run-${serial}`])
      expect(JSON.parse(lines[2]!.slice('data: '.length))).toEqual({ type: 'execution', id })
    }),
    { numRuns: 50 },
  )
})

test('a reader who comes back hears each thing it missed once and in order, or is told to look again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { maxLength: 40 }),
      fc.integer({ min: 1, max: 10 }),
      fc.nat(50),
      (gaps, max, from) => {
        const backlog = createBacklog<number>(0, max)
        let now = 0
        const all = gaps.map((gap, index) => backlog.tell(index, (now += gap)))
        expect(backlog.last()).toBe(all.length)
        const bySerial = backlog.sinceSerial(from)
        const missed = all.filter((told) => told.serial > from)
        if (bySerial === null) expect(from > all.length || missed.length > max).toBe(true)
        else expect(bySerial).toEqual(missed)
        const byTime = backlog.sinceTime(from)
        const later = all.filter((told) => told.atMs >= from)
        if (byTime !== null) expect(byTime).toEqual(later)
        else expect(all.length).toBeGreaterThan(max)
      },
    ),
  )
})

test('before listening began nothing was heard', () => {
  const backlog = createBacklog<string>(1000, 10)
  expect(backlog.sinceTime(999)).toBeNull()
  expect(backlog.sinceTime(1000)).toEqual([])
})
