import { expect, test } from 'vitest'
import { drawSessions, intervalOf, totalsOf } from './resample'

const figure = { parts: [[[1, 1]], [[0, 1]], [[1, 2]]] as [number, number][][] }

test('a session that is drawn twice counts twice', () => {
  expect(totalsOf(figure, [0, 2, 2])).toEqual([[3, 5]])
})

test('the same seed draws the same sessions, as many as there are', () => {
  const draws = drawSessions(7, 50, 3)
  expect(draws).toEqual(drawSessions(7, 50, 3))
  expect(draws).not.toEqual(drawSessions(7, 50, 4))
  expect(draws).toHaveLength(50)
  expect(draws.every((draw) => draw.length === 7)).toBe(true)
  expect(new Set(draws.flat())).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]))
})

test('the interval is the middle 95 % of the draws', () => {
  const shares = { parts: Array.from({ length: 101 }, (_, i): [number, number][] => [[i, 100]]) }
  expect(
    intervalOf(
      shares,
      shares.parts.map((_, i) => [i]),
    ),
  ).toEqual([0.02, 0.98])
})

test('a draw in which nothing counts is left out', () => {
  const rare = { parts: [[[1, 1]], [[0, 0]]] as [number, number][][] }
  expect(
    intervalOf(rare, [
      [0, 1],
      [1, 1],
    ]),
  ).toEqual([1, 1])
  expect(intervalOf(rare, [[1, 1]])).toBeNull()
})
