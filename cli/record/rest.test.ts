import { expect, test } from 'vitest'
import { makeRest } from './rest'

const rests = (chunks: { at: number; bytes: number }[]): number[] => {
  let clock = 0
  const rested: number[] = []
  const rest = makeRest(
    () => clock,
    (ms) => {
      rested.push(clock)
      clock += ms
    },
  )
  for (const { at, bytes } of chunks) {
    clock = Math.max(clock, at)
    rest(bytes)
  }
  return rested
}

test('small chunks that follow each other at once are waited for', () => {
  expect(
    rests([
      { at: 10, bytes: 2_000 },
      { at: 10.1, bytes: 2_000 },
      { at: 10.5, bytes: 2_000 },
    ]),
  ).toEqual([10.1, 10.5])
})

test('neither the first chunk, nor one that comes later, nor a large one is held up', () => {
  expect(
    rests([
      { at: 0, bytes: 10 },
      { at: 1, bytes: 10 },
      { at: 1.1, bytes: 40_000 },
      { at: 1.2, bytes: 65_536 },
    ]),
  ).toEqual([])
})

test('the wait is a real one', () => {
  const rest = makeRest()
  const started = performance.now()
  for (let i = 0; i < 20; i++) rest(1)
  expect(performance.now() - started).toBeGreaterThanOrEqual(19 * 0.3)
})
